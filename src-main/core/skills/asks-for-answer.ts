const question = /\?\s*(?:\(|$)|^\s*(?:what|when|where|which|who|whose|why|how|is|are|was|does|do|did|can|has|have)\b/iu;
const wantsTelling =
  /\b(?:tell me|let me know|find out|look up|look for|check (?:when|what|whether|if|how|which|where|who|the|my|on)|see (?:when|what|whether|if|how)|say (?:when|what|how)|report back|read me|give me the|i want to know|i(?:'d| would) like to know|need to know|wonder|what(?:'s| is)|when(?:'s| is)|how (?:much|many|long|far|old|often))\b/iu;

/** Whether a goal asks for an answer in words, so that its last step is to read and reply (SHO-06). */
export function asksForAnswer(goal: string): boolean {
  return question.test(goal.trim()) || wantsTelling.test(goal);
}
