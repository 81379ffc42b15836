import { expect, test } from "vitest";
import { addContract, grant } from "../api/contracts/contract-steps.ts";
import { join } from "../api/steps.ts";
import { harness, type Person } from "../support/harness.ts";
import { emits, freshWorld, tokenAddress, transferSignature } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
/** The sender of every scripted transaction, and of the tokens that it transfers. */
const keeper = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** A rule for which every transfer is an event. */
async function watchTransfers(more: object = {}) {
  const world = await freshWorld(h);
  const config = { event_signature: transferSignature };
  const target_id = await world.watch({ target_type: "event_frequency", config });
  const condition = { operator: "gte", threshold: 1, aggregation: "each" };
  await world.rule(target_id, condition, more);
  await world.catchUp();
  const transfer = async () => {
    world.chain.mine([emits(5)]);
    await world.catchUp();
    return (await world.events())[0];
  };
  const contracts = (await world.owner.client.get("/contracts")).body as { id: string }[];
  return { ...world, transfer, token_id: contracts[0]?.id ?? "" };
}

const addKeeper = (owner: Person, label?: string) =>
  addContract(owner, { address: keeper.toLowerCase(), ...(label && { label }) });

test("an alert names other contracts and wallets of the org by label and address", async () => {
  const { owner, transfer } = await watchTransfers();
  await addKeeper(owner, "Keeper");
  const event = await transfer();
  expect(event?.title).toBe(
    "Token on Local development node: Transfer(from: Keeper (0x7099…79C8), to: Token (0x5FbD…0aa3), value: 5) by Keeper (0x7099…79C8)",
  );
  expect(event?.message).toContain("Transfer(from: Keeper (0x7099…79C8), to: Token (0x5FbD…0aa3), value: 5)");
  expect(event?.explanation.names).toEqual({ [keeper]: "Keeper", [tokenAddress]: "Token" });
  // Programs compare addresses, so that the evidence keeps them.
  expect(event?.explanation.decoded).toMatchObject({ args: { from: keeper, to: tokenAddress } });
});

test("an alert names the group that it is about", async () => {
  const { owner, rule, chain, catchUp, events, watch } = await freshWorld(h);
  const target_id = await watch({
    target_type: "event_frequency",
    config: { event_signature: transferSignature },
  });
  await addKeeper(owner, "Keeper");
  await rule(target_id, { operator: "gte", threshold: 2, aggregation: "count", group_by: "args.from" });
  await catchUp();
  chain.mine([emits(5, 6)]);
  await catchUp();
  expect((await events())[0]?.title).toMatch(/, from Keeper \(0x7099…79C8\)$/);
});

test("a label that only repeats the address is not written", async () => {
  const { owner, transfer } = await watchTransfers();
  await addKeeper(owner);
  expect((await transfer())?.title).toContain("Transfer(from: 0x7099…79C8, to: Token");
});

test("the contracts of another org have no name", async () => {
  const { transfer } = await watchTransfers();
  await addKeeper(await h.person(), "Another treasury");
  const event = await transfer();
  expect(JSON.stringify(event)).not.toContain("Another treasury");
});

test("a restricted contract is named only where everyone who can see the alert can see it", async () => {
  const { owner, transfer, token_id } = await watchTransfers();
  const [ann, ben] = [await join(h, owner, "member"), await join(h, owner, "member")];
  const wallet = await addKeeper(owner, "Keeper");
  await grant(owner, wallet.id, ann);
  expect(JSON.stringify(await transfer()), "everyone sees the token").not.toContain("Keeper");
  await grant(owner, token_id, ann);
  expect((await transfer())?.title, "only Ann sees the token").toContain("by Keeper (0x7099…79C8)");
  await grant(owner, token_id, ben);
  expect(JSON.stringify(await transfer()), "Ben does not see the keeper").not.toContain("Keeper");
  await grant(owner, wallet.id, ben);
  expect((await transfer())?.title, "Ann and Ben see both").toContain("by Keeper (0x7099…79C8)");
});

test("a message of the user's own keeps addresses as they are", async () => {
  const { owner, transfer } = await watchTransfers({
    message_template: "https://explorer.example/address/{{args.from}}",
  });
  await addKeeper(owner, "Keeper");
  expect((await transfer())?.message).toBe(`https://explorer.example/address/${keeper}`);
});
