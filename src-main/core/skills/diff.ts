import { createTwoFilesPatch } from "diff";

/** Unified diff of two bodies, "" when they are equal. */
export function diffBodies(before: { readonly label: string; readonly body: string }, after: { readonly label: string; readonly body: string }): string {
  if (before.body === after.body) return "";
  const patch = createTwoFilesPatch(before.label, after.label, before.body, after.body, undefined, undefined, { context: 3 });
  return patch.slice(patch.indexOf("--- "));
}
