import { expect, test } from "vitest";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import type { Target } from "../../../src/wire/contracts/targets.ts";
import type { BulkImportResult } from "../../../src/wire/imports/bulk-import.ts";
import { harness, type Person } from "../../support/harness.ts";
import { longTest } from "../../support/run-size.ts";
import { addContract, freshAddress, grant } from "../contracts/contract-steps.ts";
import { makeKeyClient } from "../orgs/keys.ts";
import { dump, errorReply, join, sendConcurrently, teamAdmin } from "../steps.ts";

const h = await harness();

async function bulkImport({ client }: Pick<Person, "client">, body: object): Promise<BulkImportResult> {
  const reply = await client.post("/contracts/bulk-import", body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as BulkImportResult;
}

const listContracts = async ({ client }: Person) => (await client.get("/contracts")).body as Contract[];
const codes = ({ items }: BulkImportResult) =>
  items.map(({ status, code }) => (code ? `${status} ${code}` : status));

test("a bulk import reports the result or the error of each contract", async () => {
  const admin = await teamAdmin(h);
  const existing = await addContract(admin);
  const [first, second] = [freshAddress(), freshAddress()];
  const result = await bulkImport(admin, {
    contracts: [
      {
        chain: "local",
        address: first,
        label: "Vault",
        labels: ["treasury", "Treasury", "core"],
        targets: ["tx_rate"],
      },
      { chain: "local", address: existing.address },
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
  expect((await listContracts(admin)).find(({ label }) => label === "Vault")).toMatchObject({
    status: "MONITORING",
    targets_count: 1,
    labels: expect.arrayContaining([
      expect.objectContaining({ value: "Treasury" }),
      expect.objectContaining({ value: "core" }),
    ]),
  });
});

test("a bulk import reads CSV with any column order, quotes and CRLF line ends", async () => {
  const admin = await teamAdmin(h);
  const [first, second, third] = [freshAddress(), freshAddress(), freshAddress()];
  const csv = [
    "\uFEFFAddress,LABEL,chain,labels,targets",
    `${first},"Vault, the ""big"" one",local,treasury; core,tx_rate|inactivity`,
    `${second},,local,,`,
    "",
    `${third},=HYPERLINK(x),local,,`,
  ].join("\r\n");
  const result = await bulkImport(admin, { csv });
  expect(codes(result)).toEqual(["imported", "imported", "imported"]);
  const all = await listContracts(admin);
  expect(all.find(({ label }) => label === 'Vault, the "big" one')).toMatchObject({ targets_count: 2 });
});

test.each([
  ["", "at least"],
  ["chain\nlocal", "address"],
  ["chain,address,colour\nlocal,0x1,red", "colour"],
  ['chain,address\nlocal,"0x1', "cannot be read"],
  ["chain,address\nlocal,0x1,extra", "cannot be read"],
  ["chain,address", "one row"],
])("a bulk import of the malformed CSV %j gets 422", async (csv, reason) => {
  const admin = await teamAdmin(h);
  const reply = await admin.client.post("/contracts/bulk-import", { csv });
  expect(reply.status).toBe(422);
  if (csv) expect(reply.text).toContain(reason);
});

test("a bulk import requires either contracts or CSV, and not both", async () => {
  const admin = await teamAdmin(h);
  for (const body of [{}, { contracts: [] }, { contracts: [{ chain: "local", address: "0x" }], csv: "x" }])
    expect((await admin.client.post("/contracts/bulk-import", body)).status).toBe(422);
});

test("two concurrent bulk imports do not exceed the quota", async () => {
  const person = await h.person();
  const list = (count: number) => ({
    contracts: Array.from({ length: count }, () => ({ chain: "local", address: freshAddress() })),
  });
  const replies = await sendConcurrently([person.client, person.client], (client) =>
    client.post("/contracts/bulk-import", list(4)),
  );
  const results = replies.map(({ body }) => body as BulkImportResult);
  expect(results.map(({ imported }) => imported).sort()).toEqual([1, 4]);
  const short = results.find(({ imported }) => imported === 1);
  expect(short && codes(short)).toEqual(["imported", ...Array(3).fill("not_reached quota_exceeded")]);
  expect(await listContracts(person)).toHaveLength(5);
});

test("repeating a bulk import changes nothing", async () => {
  const admin = await teamAdmin(h);
  const body = { contracts: [{ chain: "local", address: freshAddress() }] };
  await bulkImport(admin, body);
  expect(codes(await bulkImport(admin, body))).toEqual(["skipped contract_exists"]);
  expect(await listContracts(admin)).toHaveLength(1);
});

test("a key scoped to chains can bulk import on these chains only", async () => {
  const admin = await teamAdmin(h);
  const key = await makeKeyClient(h, admin, { chain_scope: [31337] });
  const row = (chain: string) => `chain,address\n${chain},${freshAddress()}`;
  expect(codes(await bulkImport({ client: key }, { csv: row("local") }))).toEqual(["imported"]);
  const refused = await key.post("/contracts/bulk-import", {
    csv: `${row("local")}\nethereum,${freshAddress()}`,
  });
  expect(refused).toMatchObject({ status: 403, body: { code: "out_of_scope" } });
  expect(await listContracts(admin)).toHaveLength(1);
});

longTest("a bulk import accepts a thousand contracts", async () => {
  const admin = await teamAdmin(h);
  await h.setTier(admin.org_id, "enterprise");
  const contracts = Array.from({ length: 1_000 }, () => ({
    chain: "local",
    address: freshAddress(),
    targets: ["tx_rate"],
  }));
  expect(await bulkImport(admin, { contracts })).toMatchObject({ imported: 1_000 });
});

test("a bulk import does not reveal the id of a contract hidden from the caller", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  await member.client.post(`/orgs/${admin.org_id}/switch`);
  const [open, hidden] = [await addContract(admin), await addContract(admin)];
  await grant(admin, hidden.id, admin);
  const contracts = [open, hidden].map(({ address }) => ({ chain: "local", address }));
  const { items } = await bulkImport(member, { contracts });
  expect(items.map(({ status, contract_id }) => [status, contract_id])).toEqual([
    ["skipped", open.id],
    ["skipped", null],
  ]);
});

test("a bulk import replaces line breaks in labels by spaces", async () => {
  const admin = await teamAdmin(h);
  const label = "Vault\r\nBcc: everybody";
  await bulkImport(admin, { contracts: [{ chain: "local", address: freshAddress(), label }] });
  expect((await listContracts(admin)).map((contract) => contract.label)).toEqual(["Vault Bcc: everybody"]);
});

longTest("a bulk import creates a hundred targets on each of fifty contracts", async () => {
  const admin = await teamAdmin(h);
  await h.setTier(admin.org_id, "enterprise");
  const targets = Array.from({ length: 100 }, (_, index) => `custom_${index}`);
  const contracts = Array.from({ length: 50 }, () => ({ chain: "local", address: freshAddress(), targets }));
  expect(await bulkImport(admin, { contracts })).toMatchObject({ imported: 50, failed: 0 });
  expect((await listContracts(admin)).map((contract) => contract.targets_count)).toEqual(
    contracts.map(() => 100),
  );
});

test("an item of another shape fails alone, with what is wrong with it", async () => {
  const owner = await h.person();
  const good = freshAddress();
  const contracts = [
    { chain: "local", address: good },
    { chain: "local" },
    { chain: "local", address: freshAddress(), adress: "typo" },
    {
      chain: "local",
      address: freshAddress(),
      selected_targets: [{ target_type: "tx_rate", config: { direction: "up" } }],
    },
    "nothing",
  ];
  const reply = await owner.client.post("/contracts/bulk-import", { contracts });
  expect(reply).toMatchObject({ status: 200, body: { imported: 1, failed: 4, dry_run: false } });
  const { items } = reply.body as BulkImportResult;
  expect(items.map(({ status }) => status)).toEqual(["imported", "failed", "failed", "failed", "failed"]);
  const messages = items.map(({ message }) => message);
  expect(messages[1]).toBe("address is required");
  expect(messages[2]).toBe("adress is not a known field");
  expect(messages[3]).toContain("direction");
  expect(messages[4]).toMatch(/^The item must be an object/);
});

test("items have targets with a config, and labels with a key", async () => {
  const owner = await h.person();
  const item = {
    chain: "local",
    address: freshAddress(),
    labels: ["env:prod", "plain"],
    targets: ["tx_rate"],
    selected_targets: [{ target_type: "large_transfer", config: { native: true, min_amount: 5 } }],
  };
  const reply = await owner.client.post("/contracts/bulk-import", { contracts: [item] });
  const [{ contract_id, message } = { contract_id: null, message: null }] = (reply.body as BulkImportResult)
    .items;
  expect(message).toBeNull();
  const { body: targets } = await owner.client.get(`/contracts/${contract_id}/targets`);
  const byType = (a: Target, b: Target) => a.target_type.localeCompare(b.target_type);
  expect((targets as Target[]).sort(byType)).toMatchObject([
    { target_type: "large_transfer", config: { min_amount: 5 } },
    { target_type: "tx_rate" },
  ]);
  const { body: labels } = await owner.client.get(`/contracts/${contract_id}/labels`);
  expect(labels).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ key: "env", value: "prod" }),
      expect.objectContaining({ key: null, value: "plain" }),
    ]),
  );
});

test("CSV is accepted as the whole body, by this operation only", async () => {
  const owner = await h.person();
  const csv = `chain,address,labels\nlocal,${freshAddress()},env:prod|ops`;
  const headers = { "content-type": "text/csv; charset=utf-8" };
  const reply = await owner.client.post("/contracts/bulk-import", csv, { headers });
  expect(reply).toMatchObject({ status: 200, body: { imported: 1 } });
  expect((await owner.client.get("/contracts?label=env:prod")).body).toHaveLength(1);
  expect(await owner.client.post("/contracts", csv, { headers })).toMatchObject(
    errorReply(415, "unsupported_media_type"),
  );
  expect((await owner.client.post("/contracts/bulk-import", "", { headers })).status).toBe(422);
});

test("a dry run has the result of the import and writes nothing", async () => {
  const owner = await h.person();
  const contracts = [{ chain: "local", address: freshAddress() }, { chain: "local" }];
  const before = await dump(h);
  const dry = await owner.client.post("/contracts/bulk-import?dry_run=true", { contracts });
  expect(dry).toMatchObject({ status: 200, body: { dry_run: true, imported: 1, failed: 1 } });
  expect((dry.body as BulkImportResult).items[0]).toMatchObject({ status: "imported", contract_id: null });
  expect(await dump(h)).toEqual(before);
});
