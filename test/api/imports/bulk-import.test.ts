import { expect, test } from "vitest";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import type { BulkImportResult } from "../../../src/wire/imports/bulk-import.ts";
import { harness, type Person } from "../../harness.ts";
import { freshAddress, grant, watch } from "../contracts/contract-steps.ts";
import { program } from "../orgs/keys.ts";
import { atOnce, join, teamAdmin } from "../steps.ts";

const h = await harness();

async function load({ client }: Pick<Person, "client">, body: object): Promise<BulkImportResult> {
  const reply = await client.post("/contracts/bulk-import", body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as BulkImportResult;
}

const watched = async ({ client }: Person) => (await client.get("/contracts")).body as Contract[];
const codes = ({ items }: BulkImportResult) =>
  items.map(({ status, code }) => (code ? `${status} ${code}` : status));

test("a list of contracts is taken in one by one, with what is wrong said of each", async () => {
  const admin = await teamAdmin(h);
  const known = await watch(admin);
  const [first, second] = [freshAddress(), freshAddress()];
  const result = await load(admin, {
    contracts: [
      {
        chain: "local",
        address: first,
        label: "Vault",
        labels: ["treasury", "Treasury", "core"],
        targets: ["tx_rate"],
      },
      { chain: "local", address: known.address },
      { chain: "local", address: first.toLowerCase() },
      { chain: "nowhere", address: second },
      { chain: "local", address: "0x12" },
      { chain: "ethereum", address: second },
      { chain: "local", address: freshAddress(), labels: ["x".repeat(51)] },
      { chain: "local", address: freshAddress(), targets: ["no spaces please"] },
    ],
  });
  expect(codes(result)).toEqual([
    "imported",
    "skipped contract_exists",
    "skipped contract_exists",
    "failed unsupported_chain",
    "failed invalid_address",
    "imported",
    "failed invalid_item",
    "failed invalid_item",
  ]);
  expect(result).toMatchObject({ imported: 2, skipped: 2, failed: 4, not_reached: 0 });
  expect(result.items[2]?.contract_id).toBe(result.items[0]?.contract_id);
  expect((await watched(admin)).find(({ label }) => label === "Vault")).toMatchObject({
    status: "MONITORING",
    targets_count: 1,
    labels: expect.arrayContaining([
      expect.objectContaining({ value: "Treasury" }),
      expect.objectContaining({ value: "core" }),
    ]),
  });
});

test("pasted CSV says the same, whatever its columns' order, quotes and line ends", async () => {
  const admin = await teamAdmin(h);
  const [first, second, third] = [freshAddress(), freshAddress(), freshAddress()];
  const csv = [
    "\uFEFFAddress,LABEL,chain,labels,targets",
    `${first},"Vault, the ""big"" one",local,treasury; core,tx_rate|inactivity`,
    `${second},,local,,`,
    "",
    `${third},=HYPERLINK(x),local,,`,
  ].join("\r\n");
  const result = await load(admin, { csv });
  expect(codes(result)).toEqual(["imported", "imported", "imported"]);
  const all = await watched(admin);
  expect(all.find(({ label }) => label === 'Vault, the "big" one')).toMatchObject({ targets_count: 2 });
});

test.each([
  ["", "at least"],
  ["chain\nlocal", "address"],
  ["chain,address,colour\nlocal,0x1,red", "colour"],
  ['chain,address\nlocal,"0x1', "cannot be read"],
  ["chain,address\nlocal,0x1,extra", "cannot be read"],
  ["chain,address", "one row"],
])("CSV that is none (%j) is refused", async (csv, why) => {
  const admin = await teamAdmin(h);
  const reply = await admin.client.post("/contracts/bulk-import", { csv });
  expect(reply.status).toBe(422);
  if (csv) expect(reply.text).toContain(why);
});

test("both, neither or nothing is refused", async () => {
  const admin = await teamAdmin(h);
  for (const body of [{}, { contracts: [] }, { contracts: [{ chain: "local", address: "0x" }], csv: "x" }])
    expect((await admin.client.post("/contracts/bulk-import", body)).status).toBe(422);
});

test("an import stops at the quota, which two at once cannot pass", async () => {
  const person = await h.person();
  const list = (count: number) => ({
    contracts: Array.from({ length: count }, () => ({ chain: "local", address: freshAddress() })),
  });
  const replies = await atOnce([person.client, person.client], (client) =>
    client.post("/contracts/bulk-import", list(4)),
  );
  const results = replies.map(({ body }) => body as BulkImportResult);
  expect(results.map(({ imported }) => imported).sort()).toEqual([1, 4]);
  const short = results.find(({ imported }) => imported === 1);
  expect(short && codes(short)).toEqual(["imported", ...Array(3).fill("not_reached quota_exceeded")]);
  expect(await watched(person)).toHaveLength(5);
});

test("the same import again changes nothing", async () => {
  const admin = await teamAdmin(h);
  const body = { contracts: [{ chain: "local", address: freshAddress() }] };
  await load(admin, body);
  expect(codes(await load(admin, body))).toEqual(["skipped contract_exists"]);
  expect(await watched(admin)).toHaveLength(1);
});

test("a key imports on its own chains only", async () => {
  const admin = await teamAdmin(h);
  const key = await program(h, admin, { chain_scope: [31337] });
  const row = (chain: string) => `chain,address\n${chain},${freshAddress()}`;
  expect(codes(await load({ client: key }, { csv: row("local") }))).toEqual(["imported"]);
  const refused = await key.post("/contracts/bulk-import", {
    csv: `${row("local")}\nethereum,${freshAddress()}`,
  });
  expect(refused).toMatchObject({ status: 403, body: { code: "out_of_scope" } });
  expect(await watched(admin)).toHaveLength(1);
});

test("a thousand are taken in", async () => {
  const admin = await teamAdmin(h);
  await h.setTier(admin.org_id, "enterprise");
  const contracts = Array.from({ length: 1_000 }, () => ({
    chain: "local",
    address: freshAddress(),
    targets: ["tx_rate"],
  }));
  expect(await load(admin, { contracts })).toMatchObject({ imported: 1_000 });
});

test("a contract that is hidden from whoever imports it again is not named to them", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  await member.client.post(`/orgs/${admin.org_id}/switch`);
  const [open, hidden] = [await watch(admin), await watch(admin)];
  await grant(admin, hidden.id, admin);
  const contracts = [open, hidden].map(({ address }) => ({ chain: "local", address }));
  const { items } = await load(member, { contracts });
  expect(items.map(({ status, contract_id }) => [status, contract_id])).toEqual([
    ["skipped", open.id],
    ["skipped", null],
  ]);
});

test("a label is one line, whatever was pasted", async () => {
  const admin = await teamAdmin(h);
  const label = "Vault\r\nBcc: everybody";
  await load(admin, { contracts: [{ chain: "local", address: freshAddress(), label }] });
  expect((await watched(admin)).map((one) => one.label)).toEqual(["Vault Bcc: everybody"]);
});

test("thousands of targets are taken in on many contracts at once", async () => {
  const admin = await teamAdmin(h);
  await h.setTier(admin.org_id, "enterprise");
  const targets = Array.from({ length: 100 }, (_, index) => `custom_${index}`);
  const contracts = Array.from({ length: 50 }, () => ({ chain: "local", address: freshAddress(), targets }));
  expect(await load(admin, { contracts })).toMatchObject({ imported: 50, failed: 0 });
  expect((await watched(admin)).map((one) => one.targets_count)).toEqual(contracts.map(() => 100));
});
