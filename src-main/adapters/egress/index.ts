export { classifyAddress } from "./classify-address.ts";
export { isPublicSuffix } from "./is-public-suffix.ts";
export { createEgress, type EgressOptions, type HostSeat } from "./start-egress.ts";
