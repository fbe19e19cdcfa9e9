export type { BrowserLimits } from "./browser-limits.ts";
export { type BrowserLauncherOptions, createBrowserLauncher } from "./create-browser-launcher.ts";
export { findBrowser } from "./find-browser.ts";
export { type MeasuredPage, openGuardedPage, openPlainPage } from "./measured-page.ts";
export { openPageMeter, type PageMeter } from "./page-meter.ts";
