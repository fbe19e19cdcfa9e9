export { defineTool, type Tool, type ToolContext, type ToolResult } from "./define-tool.ts";
export { type Offer, offeredForms } from "./offered.ts";
export { toolRegistry } from "./registry.ts";
export { type ArgumentForm, openTextGrammar, type StepForm, stepChoices } from "./step-choices.ts";
