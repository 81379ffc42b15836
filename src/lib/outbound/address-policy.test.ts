import { expect, test } from "vitest";
import { OperatorError } from "../operator-error.ts";
import { makeAddressPolicy } from "./address-policy.ts";

const publicOnly = makeAddressPolicy({ allow: [] });

/** One or two addresses (first and last) of every range outside the public internet. */
const forbidden4 = [
  ["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255"],
  ["172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.192", "192.0.0.255", "192.0.2.1", "192.31.196.1"],
  ["192.52.193.1", "192.88.99.1", "192.168.0.0", "192.168.255.255", "192.175.48.1", "198.18.0.0"],
  ["198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.0", "239.255.255.255", "240.0.0.0"],
  ["254.255.255.255", "255.255.255.255", "168.63.129.16"],
].flat();

const allowed4 = [
  ["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255"],
  [
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
  ],
  ["168.63.129.15", "168.63.129.17", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"],
].flat();

const forbidden6 = [
  ["::", "::1", "::2", "fe80::1", "febf::1", "fec0::1", "feff::1", "fc00::1", "fd00:ec2::254", "fdff::1"],
  ["ff02::1", "ff0e::1", "100::1", "100:0:0:1::1", "64:ff9b:1::7f00:1", "64:ff9b:1:ffff::1", "64:ff9b:2::1"],
  ["2001:2::1", "2001:3::1", "2001:4:112::1", "2001:10::1", "2001:20::1", "2001:30::1", "2001:1ff::1"],
  ["2001:db8::1", "3fff::1", "3fff:fff::1", "5f00::1", "2620:4f:8000::1", "4000::1", "8000::1", "e000::1"],
  ["fe80::1%eth0", "0:0:0:0:0:0:0:1", "0000:0000:0000:0000:0000:0000:0000:0001", "FE80::1", "::FFFF:7F00:1"],
].flat();

const allowed6 = [
  "2606:4700:4700::1111",
  "2a00:1450:4001::1",
  "2001:200::1",
  "2001:4860:4860::8888",
  "3ffe::1",
];

/** The ways in which an IPv6 address embeds an IPv4 address. */
const carriers: Record<string, (address: string) => string> = {
  mapped: (address) => `::ffff:${address}`,
  mappedHex: (address) => `::ffff:${hex(address)}`,
  compatible: (address) => `::${address}`,
  translated: (address) => `::ffff:0:${hex(address)}`,
  nat64: (address) => `64:ff9b::${address}`,
  sixToFour: (address) => `2002:${hex(address)}::1`,
  teredoServer: (address) => `2001:0:${hex(address)}:0:0:${hex(inverted("8.8.8.8"))}`,
  teredoClient: (address) => `2001:0:${hex("8.8.8.8")}:0:0:${hex(inverted(address))}`,
};

test.each([...forbidden4, ...forbidden6])("the address policy forbids %s", (address) => {
  expect(publicOnly.rejectionReason(address)).toMatch(/not on the public internet\.$/);
});

test.each([...allowed4, ...allowed6])("the address policy allows %s", (address) => {
  expect(publicOnly.rejectionReason(address)).toBeUndefined();
});

test.each(Object.entries(carriers))(
  "the address policy checks an IPv4 address embedded as %s",
  (_, carry) => {
    for (const address of forbidden4)
      expect(publicOnly.rejectionReason(carry(address)), address).toBeDefined();
    for (const address of allowed4)
      expect(publicOnly.rejectionReason(carry(address)), address).toBeUndefined();
  },
);

test.each([
  "",
  "localhost",
  "10",
  "0x7f.1",
  "0177.0.0.1",
  "2130706433",
  "127.1",
  "1.2.3.4.5",
  "[::1]",
  "1.2.3.4 ",
])("the address policy forbids %j, which is not a complete address", (text) => {
  expect(publicOnly.rejectionReason(text)).toBe("This is not an IP address.");
  expect(publicOnly.isListed(text)).toBe(false);
});

test("the address policy allows the operator's ranges in every embedded form, and nothing else", () => {
  const policy = makeAddressPolicy({
    allow: ["127.0.0.0/8", " 10.1.0.0/16", "fd00::/8", "::1", "192.168.1.7"],
  });
  for (const address of [
    "127.0.0.1",
    "127.255.0.1",
    "::ffff:127.0.0.1",
    "10.1.2.3",
    "fd12::1",
    "::1",
    "192.168.1.7",
  ]) {
    expect(policy.rejectionReason(address), address).toBeUndefined();
    expect(policy.isListed(address), address).toBe(true);
  }
  for (const address of ["10.2.0.1", "fc00::1", "192.168.1.8", "::ffff:10.2.0.1", "169.254.169.254"]) {
    expect(policy.rejectionReason(address), address).toBeDefined();
    expect(policy.isListed(address), address).toBe(false);
  }
  expect(policy.isListed("8.8.8.8")).toBe(false);
  expect(policy.hasList).toBe(true);
  expect(publicOnly.hasList).toBe(false);
});

test.each([
  "10/8",
  "10.0.0.0/33",
  "::/129",
  "10.0.0.0/",
  "10.0.0.0/-1",
  "10.0.0.0/8/8",
  "10.0.0.0/1e1",
  "example.com",
  "",
  "*",
])("an operator's range %j throws an operator error", (range) => {
  expect(() => makeAddressPolicy({ allow: ["127.0.0.0/8", range] })).toThrow(OperatorError);
  expect(() => makeAddressPolicy({ allow: [range] })).toThrow(`"${range}"`);
});

function hex(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function inverted(address: string): string {
  return address
    .split(".")
    .map((octet) => 255 - Number(octet))
    .join(".");
}
