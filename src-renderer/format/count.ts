const grouped = new Intl.NumberFormat("en");

/** "1 step", "1,204 tokens". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${grouped.format(count)} ${count === 1 ? one : many}`;
}
