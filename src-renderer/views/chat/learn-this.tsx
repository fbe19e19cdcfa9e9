import { GraduationCap } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { useHost, useIsConnected, usePage } from "../../store/use-page.ts";

/** Makes a skill of what was just done; its draft is shown before anything is kept. */
export function LearnThis({ conversationId }: { readonly conversationId: string }) {
  const learnThis = usePage((state) => state.learnThis);
  const isConnected = useIsConnected();
  const isLearning = useHost((state) => state.settings?.learning ?? true);
  if (!isLearning) return null;
  return (
    <Button icon={GraduationCap} tone="quiet" isDisabled={!isConnected} onPress={() => learnThis(conversationId)}>
      Learn this
    </Button>
  );
}
