/** Where the app's own page lives: files of the build under a scheme of their own, so that nothing gets the reach of file URLs. */
export const PAGE_SCHEME = "knack";
const PAGE_URL = `${PAGE_SCHEME}://app/`;

/** The page's address: that of electron-vite's server while developing, else the built page. */
export function ownPageUrl(isPackaged: boolean, env: NodeJS.ProcessEnv): string {
  return (isPackaged ? undefined : env.ELECTRON_RENDERER_URL) ?? PAGE_URL;
}

/** Whether `url` is of the page: same scheme, host and port, nothing less. */
export function isOwnPage(url: string, pageUrl: string): boolean {
  const [given, own] = [parsed(url), parsed(pageUrl)];
  return given !== null && own !== null && given.protocol === own.protocol && given.host === own.host;
}

function parsed(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}
