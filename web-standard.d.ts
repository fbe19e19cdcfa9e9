// What every world of JavaScript has, window or not: the only globals besides the language itself that base, contract and core may name.
// A room with Node or a DOM gets these from there instead.

interface Event {
  readonly type: string;
}

interface EventTarget {
  addEventListener(type: string, listener: (event: Event) => void, options?: { once?: boolean; signal?: AbortSignal }): void;
  removeEventListener(type: string, listener: (event: Event) => void): void;
}

interface AbortSignal extends EventTarget {
  readonly aborted: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: as in the standard, anything may be the reason
  readonly reason: any;
  throwIfAborted(): void;
}

declare const AbortSignal: {
  abort(reason?: unknown): AbortSignal;
  any(signals: Iterable<AbortSignal>): AbortSignal;
  timeout(milliseconds: number): AbortSignal;
};

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare class DOMException extends Error {
  constructor(message?: string, name?: string);
}

declare class URLSearchParams {
  constructor(init?: string | Record<string, string> | Iterable<[string, string]>);
  append(name: string, value: string): void;
  delete(name: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string): boolean;
  set(name: string, value: string): void;
  entries(): IterableIterator<[string, string]>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}

declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL | null;
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
  toString(): string;
  toJSON(): string;
}

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}

declare function structuredClone<T>(value: T): T;
declare function queueMicrotask(work: () => void): void;
declare function setTimeout(work: () => void, milliseconds?: number): number | object;
declare function clearTimeout(timer: number | object | undefined): void;
declare function atob(data: string): string;
declare function btoa(data: string): string;
