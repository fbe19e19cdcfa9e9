export { type BrowserLauncherOptions, createBrowserLauncher } from "./create-browser-launcher.ts";
export { findBrowser } from "./find-browser.ts";
export { openPageMeter, type PageMeter } from "./page-meter.ts";
