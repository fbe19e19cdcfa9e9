import "katex/dist/katex.min.css";
import rehypeKatex from "rehype-katex";
import remarkMath from "remark-math";

/**
 * What draws formulas, with its fonts: a part of the page that is loaded when the first formula is met. Nothing in a formula is trusted: it neither links nor
 * loads, and what it expands to, and how large it is drawn, has an end.
 */
export const mathPlugins = {
  remark: [remarkMath, { singleDollarTextMath: false }],
  rehype: [rehypeKatex, { trust: false, strict: "ignore", maxExpand: 500, maxSize: 10, output: "htmlAndMathml" }],
} as const;
export type MathPlugins = typeof mathPlugins;
