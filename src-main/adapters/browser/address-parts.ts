/** The host of an address; "" where it has none or cannot be read. */
export function hostOf(address: string): string {
  return URL.parse(address)?.hostname ?? "";
}

/** The origin of an address; "null", which no entry is bound to, where it has none or cannot be read. */
export function originOf(address: string): string {
  return URL.parse(address)?.origin ?? "null";
}
