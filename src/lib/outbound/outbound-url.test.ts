import { expect, test } from "vitest";
import { makeAddressPolicy } from "./address-policy.ts";
import { addressRejection, parseOutboundUrl } from "./outbound-url.ts";

const publicOnly = makeAddressPolicy({ allow: [] });
const withLoopback = makeAddressPolicy({ allow: ["127.0.0.0/8"] });

const internal = [
  "127.0.0.1",
  "10.0.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "192.168.0.1",
  "100.64.0.1",
  "0.0.0.0",
];

/** The notations of an IPv4 address that a WHATWG parser accepts, and its IPv6 forms. */
function spellings(address: string): string[] {
  const octets = address.split(".").map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  const octal = octets.map((octet) => `0${octet.toString(8)}`);
  return [
    address,
    `${address}.`,
    String(whole),
    `${whole}.`,
    `0x${whole.toString(16)}`,
    `0X${whole.toString(16).toUpperCase()}`,
    `0${whole.toString(8)}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${a.toString(16)}.0x${((b * 256 + c) * 256 + d).toString(16)}`,
    octets.map((octet) => `0x${octet.toString(16)}`).join("."),
    octets.map((octet) => `0X0${octet.toString(16).toUpperCase()}`).join("."),
    octal.join("."),
    octal.map((octet) => `000${octet}`).join("."),
    [octal[0], `0x${b.toString(16)}`, c, d].join("."),
    address.replaceAll(".", "\u3002"),
    address.replaceAll(".", "\uff0e"),
    address.replaceAll(".", "%2e"),
    address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replace(/\d/g, (digit) =>
      digit === "0" ? "\u24ea" : String.fromCodePoint(0x245f + Number(digit)),
    ),
    address.replace(/\d/g, (digit) => `%3${digit}`),
    address.replace(".", "\u00ad."),
    address.replace(".", ".\t"),
    `[::ffff:${address}]`,
    `[::FFFF:${groups}]`,
    `[0:0:0:0:0:ffff:${groups}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[::ffff:0:${groups}]`,
    `[2002:${groups}::]`,
  ];
}

const hostile = internal.flatMap(spellings).map((host) => `https://${host}/hook`);
const names = [
  ["localhost", "LOCALHOST", "localhost.", "localhost..", "LocalHost:8443", "%6cocalhost", "\uff4cocalhost"],
  ["foo.localhost", "a.b.LOCALHOST.", "metadata.google.internal", "db.internal.", "printer.local", "nas.lan"],
  [
    "router.home.arpa",
    "host.localdomain",
    "redis",
    "metadata",
    "[::1]",
    "[::]",
    "[fe80::1]",
    "[fd00:ec2::254]",
  ],
].flat();

test("the tests cover at least 200 notations of addresses", () => {
  expect(new Set([...hostile, ...names]).size).toBeGreaterThan(200);
});

test.each([...hostile, ...names.map((host) => `https://${host}/`)])(
  "the outbound URL %j is rejected",
  (text) => {
    expect(parseOutboundUrl(text, publicOnly)).toBeTypeOf("string");
    expect(parseOutboundUrl(text.replace("https:", "http:"), publicOnly)).toBeTypeOf("string");
    expect(parseOutboundUrl(text.replace("https://", "HTTPS:\\\\"), publicOnly)).toBeTypeOf("string");
  },
);

test("every notation of an IPv4 address is parsed as that address", () => {
  for (const host of spellings("127.0.0.1")) {
    expect(parseOutboundUrl(`http://${host}/`, withLoopback), host).toBeInstanceOf(URL);
  }
});

test.each([
  "",
  "hooks.example.com",
  "//hooks.example.com",
  "https://",
  "https://exa mple.com",
  "https://1.2.3.256/",
  "https://[::1",
  "https://[fe80::1%25eth0]/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "gopher://example.com/",
  "javascript:alert(1)",
  "data:text/plain,hello",
  "ws://example.com/",
  "https://user@example.com/",
  "https://user:secret@example.com/",
  "https://:secret@example.com/",
  "https://example.com@127.0.0.1/",
  `https://example.com/${"a".repeat(2048)}`,
])("the outbound URL %j is rejected", (text) => {
  expect(parseOutboundUrl(text, withLoopback)).toBeTypeOf("string");
});

test.each([
  ["https://hooks.example.com/services/T0/B0?x=1#part", "https://hooks.example.com/services/T0/B0?x=1"],
  ["HTTPS://Hooks.Example.COM:443", "https://hooks.example.com/"],
  ["https://hooks.example.com:8443/a", "https://hooks.example.com:8443/a"],
  ["https://8.8.8.8/", "https://8.8.8.8/"],
  ["https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"],
  ["https://b\u00fccher.example/", "https://xn--bcher-kva.example/"],
  ["https://notlocalhost.com/", "https://notlocalhost.com/"],
  ["https://internal.example.com/", "https://internal.example.com/"],
])("the outbound URL %s is accepted", (text, expected) => {
  expect(String(parseOutboundUrl(text, publicOnly))).toBe(expected);
  expect(parseOutboundUrl(text, publicOnly)).toBeInstanceOf(URL);
});

test("plain http is allowed only to the operator's addresses", () => {
  expect(parseOutboundUrl("http://127.0.0.1:9000/", withLoopback)).toBeInstanceOf(URL);
  expect(parseOutboundUrl("http://0x7f.1:9000/", withLoopback)).toBeInstanceOf(URL);
  expect(parseOutboundUrl("http://8.8.8.8/", withLoopback)).toMatch(/https/);
  expect(parseOutboundUrl("http://10.0.0.1/", withLoopback)).toMatch(/https/);
  expect(parseOutboundUrl("http://example.com/", publicOnly)).toMatch(/https/);
});

test("a local name is checked by its address when the operator allows ranges", () => {
  const http = new URL("http://receiver.example/");
  expect(parseOutboundUrl(http.href, withLoopback)).toBeInstanceOf(URL);
  expect(addressRejection(http, "127.0.0.1", withLoopback)).toBeUndefined();
  expect(addressRejection(http, "8.8.8.8", withLoopback)).toMatch(/https/);

  const local = new URL("https://localhost/");
  expect(parseOutboundUrl(local.href, withLoopback)).toBeInstanceOf(URL);
  expect(addressRejection(local, "127.0.0.1", withLoopback)).toBeUndefined();
  expect(addressRejection(local, "10.0.0.1", withLoopback)).toMatch(/local network/);
  expect(addressRejection(local, "8.8.8.8", withLoopback)).toMatch(/local network/);
});

test("a rejection never contains the URL", () => {
  for (const text of [
    "https://user:hunter2@example.com/",
    "http://example.com/hunter2",
    "https://10.0.0.1/hunter2",
  ]) {
    expect(parseOutboundUrl(text, publicOnly)).not.toContain("hunter2");
  }
});
