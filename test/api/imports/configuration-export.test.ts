import { expect, test } from "vitest";
import { openConfig } from "../../../src/delivery/channel-config.ts";
import { listChannels } from "../../../src/store/channels/channels.ts";
import type { ConfigDocument } from "../../../src/wire/imports/configuration.ts";
import { harness } from "../../support/harness.ts";
import { dump, teamAdmin } from "../steps.ts";
import { applyOk, changeLines, exportConfig, makePopulatedOrg } from "./configuration-steps.ts";

const h = await harness();

test("an export has no ids, no secrets and no masked values", async () => {
  const owner = await makePopulatedOrg(h);
  const { text, body } = await owner.client.get("/config");
  expect(text).not.toMatch(/verysecret|alsosecret|whsec|•|"id"/);
  const { channels, contracts } = body as ConfigDocument;
  expect(channels).toMatchObject([
    {
      name: "Hook",
      config: {
        url: "https://example.com/hook",
        secret: { $secret: "CHANNEL_HOOK_SECRET" },
        headers: { Authorization: { $secret: "CHANNEL_HOOK_HEADERS_AUTHORIZATION" } },
      },
    },
    { name: "On-call", type: "slack", config: { webhook_url: { $secret: "CHANNEL_ON_CALL_WEBHOOK_URL" } } },
  ]);
  const vault = contracts?.find(({ label }) => label === "Vault");
  expect(vault?.labels).toEqual([
    { key: "team", value: "treasury", color: "#a5341f" },
    { key: null, value: "core", color: null },
  ]);
  expect(vault?.targets?.map(({ target_type }) => target_type)).toEqual([
    "event_frequency",
    "event_frequency",
    "tx_rate",
  ]);
  expect(vault?.targets?.[2]?.rules?.map(({ name, channels: channelNames }) => [name, channelNames])).toEqual(
    expect.arrayContaining([
      ["Busy", ["On-call"]],
      ["Busy", []],
      ["Ours", ["On-call"]],
    ]),
  );
  expect(contracts?.filter(({ is_paused }) => is_paused)).toHaveLength(1);
});

test("applying an org's own export changes no row", async () => {
  const owner = await makePopulatedOrg(h);
  const document = await exportConfig(owner);
  const before = await dump(h);
  for (const prune of [false, true]) {
    const plan = await applyOk(owner, { ...document, prune });
    expect(plan).toMatchObject({ changes: [], errors: [], summary: { create: 0, update: 0, delete: 0 } });
    expect(plan.summary.none).toBe(2 + 2 + 4 + 3);
  }
  expect(await dump(h)).toEqual(before);
  expect(await exportConfig(owner)).toEqual(document);
});

test("an export applied to another org with its secrets recreates everything", async () => {
  const [from, to] = [await makePopulatedOrg(h), await teamAdmin(h)];
  const document = await exportConfig(from);
  const secrets = {
    CHANNEL_ON_CALL_WEBHOOK_URL: "https://hooks.slack.com/services/T1/B1/another",
    CHANNEL_HOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
    CHANNEL_HOOK_HEADERS_AUTHORIZATION: "Bearer fresh",
  };
  const plan = await applyOk(to, { ...document, secrets });
  expect(plan.summary).toEqual({ create: 11, update: 0, delete: 0, none: 0 });
  expect(await exportConfig(to)).toEqual(document);
  const rows = await listChannels(h.app.db, to.org_id);
  const hook = rows.find(({ name }) => name === "Hook");
  expect(hook && (await openConfig(h.app, hook))).toEqual({
    url: "https://example.com/hook",
    secret: secrets.CHANNEL_HOOK_SECRET,
    headers: { Authorization: "Bearer fresh" },
  });
  const again = await applyOk(to, { ...document, secrets });
  expect(again.changes).toEqual([]);
});

test("an export distinguishes channels of the same name, and apply rejects duplicate new names", async () => {
  const owner = await teamAdmin(h);
  for (const to of ["a@example.com", "b@example.com"])
    await owner.client.post("/channels", { type: "email", name: "Ops", config: { to: [to] } });
  const document = await exportConfig(owner);
  expect(document.channels?.map(({ ref, name }) => [ref, name])).toEqual([
    [undefined, "Ops"],
    ["Ops #2", "Ops"],
  ]);
  const [first, second] = document.channels ?? [];
  const plan = await applyOk(owner, { version: 1, channels: [first, { ...second, name: "Ops two" }] });
  expect(changeLines(plan)).toEqual(["update channel Ops #2"]);
  const other = await teamAdmin(h);
  const { errors } = await applyOk(
    other,
    { version: 1, channels: [first, { ...first, ref: "Else" }, first] },
    true,
  );
  expect(errors.map(({ loc }) => loc.join("."))).toEqual(["body.channels.1.ref", "body.channels.2"]);
});
