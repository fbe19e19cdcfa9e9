/** A packaged app keeps native libraries beside its archive: the system's loader cannot read inside app.asar. */
export function extensionPath(path: string): string {
  return path.replace(/([/\\])app\.asar(?=[/\\])/u, "$1app.asar.unpacked");
}
