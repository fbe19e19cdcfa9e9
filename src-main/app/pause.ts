/** Milliseconds of work at a stretch in the background: what a person waits for begins at most so much later. */
const sliceMs = 8;

/** To be awaited between small pieces of work: lets everything else have its turn whenever a stretch of work is over. */
export function makePause(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
