const fixed = new Set(["navigation", "banner", "contentinfo", "header", "footer"]);

/** Whether a control in this landmark stands on every page of a site alike, so that its name tells little of what a page is about. */
export function isFixedLandmark(landmark: string): boolean {
  return fixed.has(landmark);
}
