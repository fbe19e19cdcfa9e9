export type { Gate, GateContext, KnownTool, Objector, StandingRules } from "./context.ts";
export { type Control, controlOf } from "./control.ts";
export { isTalk } from "./declared.ts";
export { gates, judge, maxRefusals, refusalsOf } from "./judge.ts";
export { paymentReason } from "./payment.ts";
export { namesPayment, namesPaymentField, toolPays } from "./payment-words.ts";
export { type PreconditionContext, unmetRules } from "./precondition.ts";
export { addressesIn, noSources, type Sources } from "./sources.ts";
export { mayRunAfterYes, type Refused, type Verdict } from "./verdict.ts";
