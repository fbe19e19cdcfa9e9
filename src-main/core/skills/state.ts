import { badInput } from "#contract/errors.ts";

/** Plain data at any depth, frozen. */
export type Facts = Readonly<Record<string, unknown>>;

/**
 * What is known of a turn and may be read by rules. Made only by `freezeState`; holds a frozen deep copy that appears
 * in no printed form: not in JSON, not in a template string, not in a log.
 */
export class State {
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** The frozen mapping. For rules; never put it into a message. */
  facts(): Facts {
    return this.#facts;
  }

  toJSON(): undefined {
    return undefined;
  }

  toString(): string {
    return "[state]";
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return "[state]";
  }
}

/** Copies and freezes what the caller knows. Throws bad-input for anything that is not a plain mapping of plain data. */
export function freezeState(mapping: unknown): State {
  if (!isMapping(mapping)) throw badInput('The state of a turn must be a plain mapping such as {region: "EU"}.', { field: "state" });
  return new State(copy(mapping, "state", []) as Facts);
}

/** An object literal or one without a prototype; no array, map or instance. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== "object") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || (Object.getPrototypeOf(prototype) === null && !Array.isArray(value));
}

function copy(value: unknown, where: string, above: readonly object[]): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "number") return value;
  if (typeof value !== "object" || !(Array.isArray(value) || isMapping(value)))
    throw badInput(`${where} is not plain data (text, number, yes/no, list or mapping).`, { field: where });
  if (above.includes(value)) throw badInput(`${where} contains itself.`, { field: where });
  const path = [...above, value];
  if (Array.isArray(value)) return Object.freeze(value.map((item, index) => copy(item, `${where}[${index}]`, path)));
  const copied = Object.create(null) as Record<string, unknown>;
  for (const [key, inner] of Object.entries(value)) if (inner !== undefined) copied[key] = copy(inner, `${where}.${key}`, path);
  return Object.freeze(copied);
}
