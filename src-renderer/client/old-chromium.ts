/**
 * What the page and the contract use and a Chromium before 119 has not. Shipped shells have it all;
 * the Electron that tests stand in with is older. Defines only what is missing.
 */
export function completeOldChromium(): void {
  define(Promise, "withResolvers", function withResolvers(this: PromiseConstructor) {
    let resolve: unknown;
    let reject: unknown;
    const promise = new this((yes, no) => {
      resolve = yes;
      reject = no;
    });
    return { promise, resolve, reject };
  });
  define(Array.prototype, "toSorted", function toSorted(this: unknown[], compare?: (one: unknown, other: unknown) => number) {
    return [...this].sort(compare);
  });
  define(Array.prototype, "with", function replaced(this: unknown[], index: number, value: unknown) {
    const copy = [...this];
    copy[index < 0 ? index + copy.length : index] = value;
    return copy;
  });
}

function define(target: object, name: string, value: unknown): void {
  if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true });
}
