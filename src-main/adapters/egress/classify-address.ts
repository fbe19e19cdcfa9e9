import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { AddressKind } from "#core/envelope/destination.ts";

/** Services that hand credentials to whoever asks from the machine; no grant reaches them. */
const METADATA = ["169.254.0.0/16", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32", "fd00:ec2::/32", "fd20:ce::/32"].map((range) =>
  ipaddr.parseCIDR(range),
);
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");
/** For use inside one network (RFC 8215): what it leads to may be anywhere, so it is never public. */
const LOCAL_NAT64 = ipaddr.parseCIDR("64:ff9b:1::/48");
const SIX_TO_FOUR = ipaddr.parseCIDR("2002::/16");
const TEREDO = ipaddr.parseCIDR("2001::/32");
const COMPATIBLE = ipaddr.parseCIDR("::/96");
/** Documentation, Teredo, ORCHID, benchmarking: inside 2000::/3 and yet nowhere on the internet. */
const NOT_REACHED = ["2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16"].map((range) => ipaddr.parseCIDR(range));

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function isIn(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network as ipaddr.IPv4 & ipaddr.IPv6, bits);
}

/** IPv4 addresses carried inside an IPv6 address, by any of the transition schemes. */
function embedded(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray();
  const at = (start: number): ipaddr.IPv4 => new ipaddr.IPv4(bytes.slice(start, start + 4));
  if (address.isIPv4MappedAddress() || isIn(address, NAT64) || isIn(address, LOCAL_NAT64) || isIn(address, COMPATIBLE)) return [at(12)];
  if (isIn(address, SIX_TO_FOUR)) return [at(2)];
  // Teredo (RFC 4380 4): the server as it is, the client with every bit turned.
  if (isIn(address, TEREDO)) return [at(4), new ipaddr.IPv4(bytes.slice(12, 16).map((byte) => byte ^ 0xff))];
  const isIsatap = (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  return isIsatap ? [at(12)] : [];
}

/**
 * Security rule 6: `public` only for public unicast, after unwrapping IPv4 inside IPv6, and inside 2000::/3 for IPv6.
 * Text that is no address is `never`.
 */
export function classifyAddress(text: string): AddressKind {
  // Only the usual form: "010.0.0.1" and "0x7f.1" are read as different addresses by different readers.
  if (isIP(text) === 0 || !ipaddr.isValid(text)) return "never";
  const address = ipaddr.parse(text);
  if (METADATA.some((range) => isIn(address, range))) return "never";
  if (address instanceof ipaddr.IPv4) return address.range() === "unicast" ? "public" : "private";
  const inner = embedded(address).map((each) => classifyAddress(each.toString()));
  if (inner.includes("never")) return "never";
  if (inner.includes("private")) return "private";
  if (address.isIPv4MappedAddress() || isIn(address, NAT64)) return "public";
  return isIn(address, GLOBAL_UNICAST) && !NOT_REACHED.some((range) => isIn(address, range)) ? "public" : "private";
}
