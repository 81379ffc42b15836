import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { OperatorError } from "../operator-error.ts";

/** The addresses that the service may connect to: the public internet and the ranges that the operator allows. */
export type AddressPolicy = {
  /** The reason why the address is forbidden, or undefined. */
  rejectionReason(address: string): string | undefined;
  /** True when the operator's list contains the address. */
  isListed(address: string): boolean;
  /** True when the operator's list is not empty. */
  hasList: boolean;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Makes the policy. `allow` are the operator's CIDRs; a malformed one throws an OperatorError. */
export function makeAddressPolicy({ allow }: { allow: string[] }): AddressPolicy {
  const ranges = allow.map(parseRange);
  const isInRanges = (address: Address) => ranges.some((range) => isInRange(address, range));
  const isAllowed = (address: Address) => isInRanges(address) || isPublic(address);

  return {
    hasList: ranges.length > 0,
    isListed(address) {
      if (!isIP(address)) return false;
      const { outer, inner } = unwrap(ipaddr.parse(address));
      return isInRanges(outer) || (inner.length > 0 && inner.every(isInRanges));
    },
    rejectionReason(address) {
      if (!isIP(address)) return "This is not an IP address.";
      const { outer, inner } = unwrap(ipaddr.parse(address));
      if (isInRanges(outer)) return undefined;
      if (inner.length > 0 ? inner.every(isAllowed) : isPublic(outer)) return undefined;
      return `The address ${address} is not on the public internet.`;
    },
  };
}

// `ipaddr.js` parses "10/8" as 0.0.0.10/8, so the address part must be complete.
function parseRange(text: string): Range {
  const [base = "", prefix, ...rest] = text.trim().split("/");
  const width = isIP(base) === 6 ? 128 : 32;
  const bits = prefix === undefined ? width : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!isIP(base) || rest.length > 0 || !(bits <= width)) {
    throw new OperatorError(`OUTBOUND_ALLOW: "${text}" is not an address range such as 10.0.0.0/8.`);
  }
  return [ipaddr.parse(base), bits];
}

function isInRange(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

/** Public addresses that cloud providers answer inside their own network, with credentials of the machine. */
const metadata: Range[] = [
  // Azure's platform address; Alibaba's 100.100.100.200 and Oracle's 192.0.0.192 are in special ranges already.
  [ipaddr.parse("168.63.129.16"), 32],
];

const globalUnicast: Range = [ipaddr.parse("2000::"), 3];

// `ipaddr.js` calls every unnamed IPv6 range unicast, but only 2000::/3 is allocated.
function isPublic(address: Address): boolean {
  if (metadata.some((range) => isInRange(address, range))) return false;
  return address.range() === "unicast" && (address.kind() === "ipv4" || isInRange(address, globalUnicast));
}

// IPv6 ranges that embed an IPv4 address: the range, the offset of the address and the mask of its bits.
const carriers: { range: Range; start: number; mask: number }[] = [
  { range: [ipaddr.parse("::"), 96], start: 12, mask: 0 },
  { range: [ipaddr.parse("::ffff:0:0"), 96], start: 12, mask: 0 },
  { range: [ipaddr.parse("::ffff:0:0:0"), 96], start: 12, mask: 0 },
  { range: [ipaddr.parse("64:ff9b::"), 96], start: 12, mask: 0 },
  { range: [ipaddr.parse("2002::"), 16], start: 2, mask: 0 },
  // Teredo embeds two addresses: the server in plain and the client with inverted bits.
  { range: [ipaddr.parse("2001::"), 32], start: 4, mask: 0 },
  { range: [ipaddr.parse("2001::"), 32], start: 12, mask: 0xff },
];

/** The address and the IPv4 addresses embedded in it. */
function unwrap(outer: Address): { outer: Address; inner: Address[] } {
  const bytes = outer.toByteArray();
  const inner = carriers
    .filter(({ range }) => isInRange(outer, range))
    .map(({ start, mask }) => bytes.slice(start, start + 4).map((byte) => byte ^ mask))
    .map((octets) => new ipaddr.IPv4(octets));
  return { outer, inner };
}
