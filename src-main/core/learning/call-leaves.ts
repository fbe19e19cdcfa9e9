/** One value in the arguments of a call that holds no others, with the way to it. */
export interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

function entriesOf(value: unknown): [string, unknown][] {
  return value !== null && typeof value === "object" ? Object.entries(value) : [];
}

/** The leaves of plain data in order, at any depth; an empty list or object is one itself. */
export function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  const inner = entriesOf(value);
  return inner.length === 0 ? [{ path, value }] : inner.flatMap(([key, item]) => leavesOf(item, [...path, key]));
}

/** The same data with every leaf changed; lists stay lists. */
export function mapLeaves<T>(value: T, change: (leaf: Leaf) => unknown, path: readonly string[] = []): T {
  const inner = entriesOf(value);
  if (inner.length === 0) return change({ path, value }) as T;
  const changed = inner.map(([key, item]) => [key, mapLeaves(item, change, [...path, key])] as const);
  return (Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed)) as T;
}

/** A leaf as text, and the way to one as a key; two ways have one key only where they are the same. */
export function leafText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

export function leafKey({ path }: Pick<Leaf, "path">): string {
  return JSON.stringify(path);
}
