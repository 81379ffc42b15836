import { hashCode } from "../../src/domain/channels/sms-numbers.ts";
import type { Invite } from "../../src/wire/orgs/invites.ts";
import { Sink } from "../delivery/sink.ts";
import { reachable } from "../delivery/world.ts";
import type { Harness, Person } from "../support/harness.ts";
import {
  addContract,
  addContractWithRule,
  addDelivery,
  addRule,
  addTarget,
  freshAddress,
  freshId,
  grant,
  recordEvent,
} from "./contracts/contract-steps.ts";
import { makeKey } from "./orgs/keys.ts";
import { join } from "./steps.ts";

/** The environment that the requests need. */
export const matrixEnv = reachable;

/** Returns functions that each create a resource in a person's org and return the ids in its path. */
export async function makeResources(h: Harness) {
  // Of this file alone: it is closed after the tests of the file.
  const sink = await Sink.start();
  const memberOf = async (person: Person) => ({ user_id: (await join(h, person, "viewer")).user.id });
  let invited = 0;
  const inviteOf = async (person: Person) => {
    const email = `guest${++invited}@example.com`;
    const reply = await person.client.post(`/orgs/${person.org_id}/invites`, { email, role: "viewer" });
    return { invite_id: (reply.body as Invite).id };
  };

  const contractOf = async (person: Person, chain = "local") => ({
    contract_id: (await addContract(person, { chain })).id,
  });
  const labelOf = async (person: Person, chain?: string) => {
    const { contract_id } = await contractOf(person, chain);
    const { body } = await person.client.post(`/contracts/${contract_id}/labels`, { value: "treasury" });
    return { contract_id, label_id: (body as { id: string }).id };
  };
  const grantOf = async (person: Person, chain?: string) => {
    const { contract_id } = await contractOf(person, chain);
    await grant(person, contract_id, person);
    return { contract_id, user_id: person.user.id };
  };
  const targetOf = async (person: Person, chain?: string) => {
    const { contract_id } = await contractOf(person, chain);
    return { contract_id, target_id: (await addTarget(person, contract_id)).id };
  };
  const ruleOf = async (person: Person, chain?: string) => {
    const { contract_id, target_id } = await targetOf(person, chain);
    return { contract_id, rule_id: (await addRule(person, target_id)).id };
  };
  const eventOf = async (person: Person, chain = "local") => {
    const about = await addContractWithRule(person, { chain });
    return { contract_id: about.contract.id, event_id: await recordEvent(h, person.org_id, about) };
  };

  const channelBody = { type: "email", name: "On-call", config: { to: ["oncall@example.com"] } };
  const channelTestBody = { type: "webhook", config: { url: sink.url() } };
  const channelOf = async (person: Person) => {
    const own = { ...channelBody, config: { to: [person.user.email] } };
    const { body } = await person.client.post("/channels", own);
    return { channel_id: (body as { id: string }).id };
  };
  const numberOf = async ({ org_id }: Person) => {
    const [id, phone, now] = [freshId(), `+49171${++invited}000000`.slice(0, 13), h.clock.now()];
    const code = { code_hash: hashCode({ org_id, phone }, "123456"), attempts_left: 5, confirmed_at: null };
    const expires_at = new Date(now.getTime() + 600_000);
    await h.app.db
      .insertInto("sms_numbers")
      .values({ id, org_id, phone, ...code, expires_at, created_at: now })
      .execute();
    return { number_id: id };
  };
  const deliveryOf = async (person: Person, chain?: string) => {
    const ids = await eventOf(person, chain);
    return { ...ids, delivery_id: await addDelivery(h, person.org_id, ids.event_id) };
  };
  let policies = 0;
  const policyBody = () => ({
    name: `Policy ${++policies}`,
    selector: { labels: ["unused"] },
    target: { target_type: "tx_rate" },
    rule: { severity: "info", condition: { operator: "gt", threshold: 1 }, record_only: true },
  });
  const policyOf = async (person: Person) => {
    const { body } = await person.client.post("/policies", policyBody());
    return { policy_id: (body as { id: string }).id };
  };
  const silenceBody = { severity: "info", reason: "Planned", ends_at: "2999-01-01T00:00:00Z" };
  const silenceOf = async (person: Person, chain?: string) => {
    const { contract_id } = await contractOf(person, chain);
    const { body } = await person.client.post("/silences", { ...silenceBody, contract_id });
    return { contract_id, silence_id: (body as { id: string }).id };
  };

  const feedOf = async (person: Person, chain?: string) => {
    const { contract_id } = await contractOf(person, chain);
    await addTarget(person, contract_id, { target_type: "oracle_price" });
    return { contract_id };
  };
  const discoveryOf = async (person: Person, chain?: string) => {
    const chain_ids = [chain === "ethereum" ? 1 : 31337];
    const { body } = await person.client.post("/wallet-discoveries", {
      wallet_address: freshAddress(),
      chain_ids,
    });
    return { id: (body as { id: string }).id };
  };
  const keyOf = async (person: Person) => ({ key_id: (await makeKey(person)).id });

  return {
    memberOf,
    inviteOf,
    contractOf,
    labelOf,
    grantOf,
    targetOf,
    ruleOf,
    eventOf,
    channelBody,
    channelTestBody,
    channelOf,
    numberOf,
    deliveryOf,
    policyBody,
    policyOf,
    silenceBody,
    silenceOf,
    feedOf,
    discoveryOf,
    keyOf,
  };
}
