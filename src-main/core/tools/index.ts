export { defineTool, type Tool, type ToolContext, type ToolResult } from "./define-tool.ts";
export { type Offer, offeredForms } from "./offered.ts";
export { toolRegistry } from "./registry.ts";
export { type ArgumentForm, type StepForm, stepGrammar } from "./step-grammar.ts";
