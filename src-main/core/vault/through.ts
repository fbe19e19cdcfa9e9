import type { Brand } from "#base/brand.ts";
import { KnackError } from "#contract/errors.ts";
import type { Sink } from "../ports/index.ts";
import type { Redactor } from "./redact.ts";

/** Opens a sink: every text in what its functions are given is redacted, at any depth of plain data. What they return passes as it is. */
export function through<Port extends object>(sink: Sink<Port>, redactor: Redactor): Port {
  return guarded(
    sink as unknown as Port,
    (method) =>
      (...given) =>
        method(...(redactor.isIdle ? given : redactor.redactDeep(given))),
  );
}

/** What a shell may hold: a boundary out of which no known value comes. */
export type Outward<Boundary extends object> = Brand<Boundary, "Outward">;

/** Every text in what its functions return, yield, throw or tell a listener is redacted. What they are given passes as it is. */
export function outward<Boundary extends object>(boundary: Boundary, redactor: Redactor): Outward<Boundary> {
  const out = (value: unknown): unknown => {
    if (redactor.isIdle && !isLater(value)) return value;
    if (value instanceof Promise) return value.then(out, (error: unknown) => Promise.reject(cleanError(error, redactor)));
    if (isAsyncIterable(value)) return eachOut(value, redactor);
    return redactor.redactDeep(value);
  };
  return guarded(boundary, (method) => (...given) => {
    try {
      return out(method(...given.map((one) => (typeof one === "function" ? tellingRedacted(one as Method, redactor) : one))));
    } catch (error) {
      throw cleanError(error, redactor);
    }
  }) as Outward<Boundary>;
}

async function* eachOut(source: AsyncIterable<unknown>, redactor: Redactor): AsyncGenerator<unknown> {
  try {
    for await (const item of source) yield redactor.isIdle ? item : redactor.redactDeep(item);
  } catch (error) {
    throw cleanError(error, redactor);
  }
}

/** The same error where nothing is masked in it, else one that says what is left. */
function cleanError(error: unknown, redactor: Redactor): unknown {
  if (redactor.isIdle || !(error instanceof Error)) return error;
  const message = redactor.redact(error.message);
  if (error instanceof KnackError) {
    const fields = redactor.redactDeep({ ...error.fields });
    return new KnackError(error.code, message, {
      exit: error.exit,
      fields,
      ...(error.cause === undefined ? {} : { cause: cleanError(error.cause, redactor) }),
    });
  }
  const clean = error instanceof DOMException ? new DOMException(message, error.name) : Object.assign(new Error(message), { name: error.name });
  return message === error.message && redactor.redact(error.stack ?? "") === (error.stack ?? "") ? error : clean;
}

/** A listener that hears redacted texts. */
function tellingRedacted(listener: Method, redactor: Redactor): Method {
  return (...told) => listener(...redactor.redactDeep(told));
}

type Method = (...given: unknown[]) => unknown;

/** The same object with every function in it, also in the objects it is made of, put through `around`. */
function guarded<Whole extends object>(whole: Whole, around: (method: Method) => Method): Whole {
  const made = new Map<PropertyKey, { readonly of: unknown; readonly as: unknown }>();
  return new Proxy(whole, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      const isGuarded = typeof value === "function" || isPlain(value);
      if (!isGuarded) return value;
      const known = made.get(name);
      if (known?.of === value) return known.as;
      const as = typeof value === "function" ? around((value as Method).bind(target)) : guarded(value, around);
      made.set(name, { of: value, as });
      return as;
    },
  });
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);
}

function isLater(value: unknown): boolean {
  return value instanceof Promise || isAsyncIterable(value);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
