export { classifyAddress } from "./classify-address.ts";
export type { Caps, EgressOptions, HostSeat } from "./egress-options.ts";
export { isPublicSuffix } from "./is-public-suffix.ts";
export { createPageReader, type PageReaderOptions, type ReadCaps } from "./page-reader.ts";
export { createEgress } from "./start-egress.ts";
