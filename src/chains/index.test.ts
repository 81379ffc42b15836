import * as viem from "viem/chains";
import { describe, expect, it } from "vitest";
import { chainById, chainOf, chains } from "./index.ts";

const evmChains = chains.filter((chain) => chain.kind === "evm");

describe("the chain registry", () => {
  it("contains at least twenty EVM chains, Solana and a local node", () => {
    expect(evmChains.length).toBeGreaterThanOrEqual(20);
    expect(chainOf("solana")?.chain_id).toBe(1399811149);
    expect(chainOf("solana_devnet")?.chain_id).toBe(1399811150);
    expect(chainOf("local")).toMatchObject({ chain_id: 31337, kind: "evm", explorer_url: null });
  });

  it("gives every chain a unique key and id", () => {
    expect(new Set(chains.map((chain) => chain.chain)).size).toBe(chains.length);
    expect(new Set(chains.map((chain) => chain.chain_id)).size).toBe(chains.length);
  });

  it("finds each chain by its key and by its id", () => {
    for (const chain of chains) {
      expect(chainOf(chain.chain)).toBe(chain);
      expect(chainById(chain.chain_id)).toBe(chain);
    }
  });

  it.each(["", "nowhere", "Ethereum", "__proto__", "constructor", "toString"])(
    "has no chain with the key %j",
    (key) => {
      expect(chainOf(key)).toBeUndefined();
    },
  );

  it.each([0, -1, 1.5, Number.NaN])("has no chain with the id %d", (id) => {
    expect(chainById(id)).toBeUndefined();
  });
});

/** Chains whose definition differs from viem's on purpose. */
const ownChains = new Set(["local", "demo"]);

describe.each(
  evmChains.filter(({ chain }) => !ownChains.has(chain)).map((chain) => [chain.chain, chain] as const),
)("the definition of %s", (_, chain) => {
  it("has the facts that viem has", () => {
    const facts: viem.Chain | undefined = Object.values(viem).find(({ id }) => id === chain.chain_id);
    expect(chain).toMatchObject({
      name: facts?.name,
      native_currency: facts?.nativeCurrency,
      explorer_url: facts?.blockExplorers?.default.url.replace(/\/+$/, "") ?? null,
      is_testnet: facts?.testnet ?? false,
    });
    expect(chain.multicall3?.toLowerCase()).toBe(facts?.contracts?.multicall3?.address.toLowerCase());
  });
});

describe.each(chains.map((chain) => [chain.chain, chain] as const))("%s", (_, chain) => {
  it("has a key that is a valid environment variable in upper case", () => {
    expect(chain.chain).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
  });

  it("has an id that fits into a database integer", () => {
    expect(Number.isInteger(chain.chain_id)).toBe(true);
    expect(chain.chain_id).toBeGreaterThan(0);
    expect(chain.chain_id).toBeLessThan(2 ** 31);
  });

  it("has a name and a currency", () => {
    expect(chain.name.trim()).not.toBe("");
    expect(chain.native_currency.name.trim()).not.toBe("");
    expect(chain.native_currency.symbol).toMatch(/^[A-Z]{1,6}$/);
    expect(chain.native_currency.decimals).toBe(chain.kind === "evm" ? 18 : 9);
  });

  it("has a plausible block time, and a finality depth below the number of stored blocks", () => {
    expect(chain.block_time_ms).toBeGreaterThanOrEqual(100);
    expect(chain.block_time_ms).toBeLessThanOrEqual(15_000);
    expect(chain.finality_depth).toBeGreaterThanOrEqual(1);
    expect(chain.finality_depth).toBeLessThan(256);
  });

  it("has an explorer on https, unless it runs on this machine", () => {
    if (ownChains.has(chain.chain)) return;
    const explorer = new URL(chain.explorer_url ?? "");
    expect(explorer.protocol).toBe("https:");
    expect(chain.explorer_url).not.toMatch(/\/$/);
  });

  it("has Multicall3, if it is a public EVM chain", () => {
    const isExpected = chain.kind === "evm" && !ownChains.has(chain.chain);
    if (isExpected) expect(chain.multicall3).toMatch(/^0x[0-9a-fA-F]{40}$/);
    else expect(chain.multicall3).toBeNull();
  });
});

describe("test networks", () => {
  it("are the chains marked as test networks", () => {
    const keys = chains.filter((chain) => chain.is_testnet).map((chain) => chain.chain);
    expect(keys.sort()).toEqual([
      "arbitrum_sepolia",
      "base_sepolia",
      "demo",
      "local",
      "optimism_sepolia",
      "polygon_amoy",
      "sepolia",
      "solana_devnet",
    ]);
  });
});
