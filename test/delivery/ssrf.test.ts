import { createServer } from "node:net";
import { afterAll, expect, test } from "vitest";
import { channels } from "../../src/channels/index.ts";
import { makeAddressPolicy } from "../../src/lib/outbound/address-policy.ts";
import { makeOutbound } from "../../src/lib/outbound/outbound.ts";
import { harness } from "../support/harness.ts";

const h = await harness();
const owner = await h.personOn("enterprise");

/** Listens on an address that the service must never connect to. */
let connections = 0;
const canary = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
await new Promise<void>((resolve) => canary.listen(0, resolve));
const { port } = canary.address() as { port: number };
afterAll(() => new Promise((resolve) => canary.close(resolve)));

/** Spellings of IPv4 addresses that the WHATWG URL parser accepts. */
function spellingsOf(address: string): string[] {
  const bytes = address.split(".").map(Number) as [number, number, number, number];
  const [a, b, c, d] = bytes;
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const hex = (value: number) => `0x${value.toString(16)}`;
  const octal = (value: number) => `0${value.toString(8)}`;
  const group = (high: number, low: number) => ((high << 8) | low).toString(16);
  const inHex = `${group(a, b)}:${group(c, d)}`;
  return [
    address,
    `${address}.`,
    String(whole),
    hex(whole),
    `0${whole.toString(8)}`,
    bytes.map(hex).join("."),
    bytes.map(octal).join("."),
    `${a}.${b}.${(c << 8) | d}`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${hex(a)}.${octal(b)}.${c}.${d}`,
    [...address].map((letter) => (/\d/.test(letter) ? `%3${letter}` : letter)).join(""),
    [...address]
      .map((letter) => (/\d/.test(letter) ? String.fromCodePoint(0xff10 + Number(letter)) : letter))
      .join(""),
    address.replaceAll(".", "。"),
    `[::ffff:${address}]`,
    `[::ffff:${inHex}]`,
    `[::${inHex}]`,
    `[::ffff:0:${inHex}]`,
    `[64:ff9b::${inHex}]`,
    `[2002:${inHex}::]`,
    `[0:0:0:0:0:ffff:${inHex}]`,
  ];
}

const v4 = [
  "127.0.0.1",
  "127.1.2.3",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
];
const v6 = ["::1", "::", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "fec0::1", "100::1", "2001:db8::1"];
const names = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "foo.localhost",
  "printer",
  "db.internal",
  "nas.local",
  "x.home.arpa",
];
const hosts = [...v4.flatMap(spellingsOf), ...v6.map((address) => `[${address}]`), ...names];

const fields = channels.flatMap(({ type, urls, secrets }) =>
  urls.map((field) => ({ type, field: String(field), secrets })),
);

test("there are at least 200 spellings and some fields to test", () => {
  expect(new Set(hosts).size).toBeGreaterThanOrEqual(200);
  expect(fields.map(({ type }) => type).sort()).toEqual(["discord", "slack", "teams", "webhook"]);
});

test.each(fields)(
  "an internal address is rejected as the $field of a $type channel",
  async ({ type, field }) => {
    const taken: string[] = [];
    for (const host of hosts) {
      const config = { [field]: `https://${host}:${port}/hook` };
      const reply = await owner.client.post("/channels", { type, name: "Inside", config });
      const [issue] = (reply.body as { detail: { loc: string[] }[] }).detail ?? [];
      if (reply.status !== 422 || issue?.loc.join(".") !== `body.config.${field}`) taken.push(host);
    }
    expect(taken).toEqual([]);
    expect(connections).toBe(0);
  },
);

test("a host name that resolves to an internal address when sending is not connected to", async () => {
  const answers = ["127.0.0.1", "::1", "169.254.169.254", "::ffff:127.0.0.1", "10.0.0.1"];
  let asked = 0;
  const outbound = makeOutbound({
    policy: makeAddressPolicy({ allow: [] }),
    resolve: async () => [answers[asked++ % answers.length] ?? ""],
  });
  const before = h.app.outbound;
  h.app.outbound = outbound;
  const body = { type: "webhook", name: "Rebinds", config: { url: `https://rebind.example:${port}/` } };
  const { id } = (await owner.client.post("/channels", body)).body as { id: string };
  for (const _ of answers) {
    const reply = await owner.client.post(`/channels/${id}/test`);
    expect(reply).toMatchObject({ status: 400, body: { code: "channel_test_failed" } });
  }
  expect(asked).toBeGreaterThanOrEqual(answers.length);
  expect(connections).toBe(0);
  h.app.outbound = before;
  outbound.close();
});
