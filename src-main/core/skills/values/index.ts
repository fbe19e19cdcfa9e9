export { type CalendarValue, canonicalDate, formatDate, readCanonicalDate } from "./calendar.ts";
export { chosenIn } from "./chosen-in.ts";
export { findValues, quotedIn, withoutUrls } from "./find-values.ts";
export type { FoundValue } from "./found-value.ts";
export { plainNumber } from "./read-number.ts";
export { formsOf, renderValue } from "./render-value.ts";
export { literalIn, longestSharedSpan, overlap, type SharedSpan, tokens } from "./spans.ts";
export { stem, tellingStems } from "./stem.ts";
export { type NamedValue, toTemplate } from "./template.ts";
