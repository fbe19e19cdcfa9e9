import { RotateCw, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { useIsConnected } from "../store/use-page.ts";
import type { Resource } from "../store/use-resource.ts";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { LoadingState } from "./loading-state.tsx";
import { Notice } from "./notice.tsx";

export interface ResourceViewProps<T> {
  readonly resource: Resource<T>;
  /** "skills": for "Loading skills" and "Skills could not be read". */
  readonly noun: string;
  readonly rows?: number;
  readonly children: (value: T) => ReactNode;
}

/** Draws loading, error and not-connected, the same everywhere; a value that is there stays there. */
export function ResourceView<T>({ resource, noun, rows = 3, children }: ResourceViewProps<T>) {
  const isConnected = useIsConnected();
  const { value, problem, reload } = resource;
  const failure =
    problem === null ? null : (
      <Notice
        tone="bad"
        title={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} could not be read`}
        actions={
          <Button icon={RotateCw} onPress={reload} isDisabled={!isConnected}>
            Try again
          </Button>
        }
      >
        {problem}
      </Notice>
    );
  if (value !== null) {
    return (
      <>
        {failure}
        {children(value)}
      </>
    );
  }
  if (!isConnected) {
    return (
      <EmptyState icon={Unplug} title="Not connected">
        Knack's host cannot be reached, so {noun} cannot be shown. This view fills by itself once the connection is back.
      </EmptyState>
    );
  }
  return failure ?? <LoadingState label={`Loading ${noun}`} rows={rows} />;
}
