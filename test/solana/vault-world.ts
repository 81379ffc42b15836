import { type Address, generateKeyPairSigner, type KeyPairSigner, lamports } from "@solana/kit";
import { expect, vi } from "vitest";
import { bytesOfAddress, tokenProgram } from "../../src/chains/solana/accounts/address.ts";
import type { AlertTemplate, TemplatesApplied } from "../../src/wire/alerts/alert-templates.ts";
import type { Inspection } from "../../src/wire/inspection/inspection.ts";
import type { ExecutedTransaction } from "./cluster/cluster.ts";
import type { makeToken } from "./cluster/programs.ts";
import { deployVaultProgram, type Move } from "./cluster/vault-program.ts";
import { makeSolanaWorld } from "./world.ts";

type Token = Awaited<ReturnType<typeof makeToken>>;

/** A service that monitors programs with vaults, and what tests do with them. */
export async function makeVaultWorld() {
  const world = await makeSolanaWorld({ timeoutMs: 5_000 });
  const { cluster, owner, h } = world;
  const [node] = world.nodes;
  if (!node) throw new Error("there is no node");
  const channel = { type: "webhook", name: "On-call", config: { url: "https://example.com/hook" } };
  const { id: channel_id } = (await owner.client.post("/channels", channel)).body as { id: string };

  /** Executes instructions, which must succeed, and puts them into a slot. */
  async function land(...instructions: Parameters<typeof cluster.run>[0]): Promise<ExecutedTransaction> {
    const ran = await cluster.run(instructions);
    if (ran.hasFailed) throw new Error(JSON.stringify(ran.meta));
    cluster.produce([ran]);
    return ran;
  }

  /** A wallet with tokens. */
  async function holderOf(token: Token, amount: bigint): Promise<KeyPairSigner> {
    const holder = await generateKeyPairSigner();
    cluster.svm.airdrop(holder.address, lamports(10_000_000_000n));
    await land(token.open(holder.address), token.mintTo(holder.address, amount));
    return holder;
  }

  const toUser = (token: Token, user: KeyPairSigner, from: string, amount: bigint) => ({
    ...{ from, to: token.account(user.address), amount },
  });
  const fromUser = (token: Token, user: KeyPairSigner, to: string, amount: bigint): Move => ({
    ...{ from: token.account(user.address), to, owner: user, amount },
  });

  /** A program with one vault, into which a user deposited and from which the program has paid some back. */
  async function makeVault(token: Token, user: KeyPairSigner, amount: bigint) {
    const program = await deployVaultProgram(cluster);
    const vault = token.account(program.authority);
    await land(token.open(program.authority));
    await land(program.move(fromUser(token, user, vault, amount)));
    const pay = (from: string, sum: bigint) =>
      program.move({ ...toUser(token, user, from, sum), owner: program.authority });
    await land(pay(vault, 1n));
    return { ...program, vault, pay };
  }

  /** Adds a program and applies its recommended templates, and nothing else. */
  async function protect(address: string) {
    const added = await owner.client.post("/contracts", { chain: "solana", address });
    const { id } = added.body as { id: string };
    const names = await recommendedAt(id);
    const applied = await owner.client.post(`/contracts/${id}/alert-templates/apply`, { channel_id });
    const { rules } = applied.body as TemplatesApplied;
    const fired = async () => {
      const templateOf = new Map(rules.map(({ rule_id, template_id }) => [rule_id, template_id]));
      const events = (await world.events()).filter(({ contract_id }) => contract_id === id);
      return events.map((event) => templateOf.get(event.rule_id ?? "") ?? "").toSorted();
    };
    return { id, names, fired };
  }

  async function recommendedAt(id: string): Promise<string[]> {
    const query = { category: "recommended" };
    const reply = await owner.client.get(`/contracts/${id}/alert-templates`, { query });
    return (reply.body as AlertTemplate[]).map((one) => one.id);
  }

  /** Steps through slots until all polls are done. */
  async function pass(...seconds: number[]): Promise<void> {
    for (const one of [0, ...seconds]) {
      if (one > 0) cluster.produce([], { seconds: one });
      await world.runUntilIdle();
    }
  }

  async function followed(contract_id: string): Promise<string[]> {
    const { token_accounts } = await h.app.db
      .selectFrom("contracts")
      .select("token_accounts")
      .where("id", "=", contract_id)
      .executeTakeFirstOrThrow();
    return ((token_accounts ?? []) as { account: string }[]).map(({ account }) => account);
  }

  /** Steps until the engine has found what it follows; searches run beside the blocks. */
  async function untilFollowed(contract_id: string, accounts: string[]): Promise<void> {
    await vi.waitFor(
      async () => {
        await pass(1);
        expect(await followed(contract_id)).toEqual(accounts.toSorted());
      },
      { timeout: 60_000, interval: 20 },
    );
  }

  async function inspect(address: string): Promise<Inspection> {
    return (await owner.client.post("/contracts/inspect", { chain: "solana", address })).body as Inspection;
  }

  /** The tokens of the balances that an inspection suggests, which are those of the vaults that it found. */
  async function tokensFoundAt(address: string): Promise<unknown[]> {
    const { suggested_targets } = await inspect(address);
    return suggested_targets
      .filter(({ target_type }) => target_type === "token_balance")
      .map(({ config }) => config.token);
  }

  /** Writes a token account without a transaction. */
  function putTokenAccount(address: string, mint: string, holder: string, amount: bigint): void {
    const data = Buffer.alloc(165);
    bytesOfAddress(mint).copy(data, 0);
    bytesOfAddress(holder).copy(data, 32);
    data.writeBigUInt64LE(amount, 64);
    data[108] = 1;
    cluster.svm.setAccount({
      ...{ address: address as Address, data, executable: false, space: 165n },
      ...{ lamports: lamports(2_039_280n), programAddress: tokenProgram as Address },
    });
  }

  return {
    world,
    node,
    land,
    holderOf,
    toUser,
    fromUser,
    makeVault,
    protect,
    recommendedAt,
    pass,
    followed,
    untilFollowed,
    tokensFoundAt,
    putTokenAccount,
  };
}
