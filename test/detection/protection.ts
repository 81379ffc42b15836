import type { TemplatesApplied } from "../../src/wire/alerts/alert-templates.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { Inspection } from "../../src/wire/inspection/inspection.ts";
import type { Client } from "../support/client.ts";
import type { Scene } from "./scene.ts";

/** A user who has accepted what the service suggests for the contracts of a scene. */
export type Protection = {
  client: Client;
  /** The ids of the contracts, by their name in the scene. */
  contracts: Record<string, string>;
  /** What was applied, for reports. */
  applied: Record<string, { inspection: Inspection; result: TemplatesApplied }>;
};

/** Registers the contracts of a scene as a newcomer does: with the suggested targets and the recommended rules. */
export async function protect(client: Client, { watched }: Scene): Promise<Protection> {
  const channel = { type: "webhook", name: "On-call", config: { url: "https://example.com/hook" } };
  const { id: channel_id } = await post<{ id: string }>(client, "/channels", channel);
  const protection: Protection = { client, contracts: {}, applied: {} };
  for (const [name, address] of Object.entries(watched)) {
    const inspection = await post<Inspection>(client, "/contracts/inspect", { chain: "local", address });
    const selected_targets = inspection.suggested_targets.map(({ target_type, config }) => ({
      target_type,
      config,
    }));
    const { id } = await post<Contract>(client, "/contracts", {
      chain: "local",
      address,
      label: name,
      selected_targets,
    });
    const path = `/contracts/${id}/alert-templates/apply`;
    const result = await post<TemplatesApplied>(client, path, { channel_id });
    protection.contracts[name] = id;
    protection.applied[name] = { inspection, result };
  }
  return protection;
}

export async function post<Reply>(client: Client, path: string, body: object): Promise<Reply> {
  let reply = await client.post(path, body);
  // A busy machine may exceed the deadline of a request, which the reply asks to repeat.
  for (let attempt = 1; reply.status === 503 && attempt < 10; attempt++)
    reply = await client.post(path, body);
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body as Reply;
}
