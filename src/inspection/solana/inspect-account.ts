import type { PinnedBlock } from "../../chains/chain-client.ts";
import {
  type AccountState,
  unpackAccount,
  unpackAmount,
} from "../../chains/solana/accounts/account-state.ts";
import { mintBytesWithExtensions, mintExtensionsOf } from "../../chains/solana/accounts/mint-extensions.ts";
import { nonceAuthorityOf } from "../../chains/solana/accounts/nonce-account.ts";
import { oracleOf } from "../../chains/solana/accounts/price-feeds.ts";
import { readProgramAccount } from "../../chains/solana/accounts/program-account.ts";
import { unpackOwnedAccounts } from "../../chains/solana/accounts/token-accounts.ts";
import { mintAuthoritiesOf, mintSupplyOf, tokenHoldingOf } from "../../chains/solana/accounts/token-data.ts";
import { findIdlTask, idlReads } from "../../chains/solana/idl/on-chain-idl.ts";
import {
  multisigBytes,
  squadsMultisigOf,
  squadsVersionOf,
} from "../../chains/solana/multisigs/squads-multisig.ts";
import type { SquadsMultisig } from "../../chains/solana/multisigs/squads-version.ts";
import { unpackVaults, type Vault } from "../../chains/solana/vaults/vault.ts";
import type { Offload } from "../../lib/concurrency/worker-pool.ts";
import type { AccountFacts, Mint } from "./account-facts.ts";
import { inspectAuthorities } from "./authorities.ts";
import { authoritiesOf } from "./powers.ts";

/** Collects the facts of a Solana address. Rejects with a ChainError if the chain cannot be read. */
export async function inspectAccount(
  pinned: PinnedBlock,
  offload: Offload,
  address: string,
): Promise<AccountFacts> {
  const program = await readProgramAccount(pinned.read, address);
  const [result, owned, ...idlResults] = await pinned.read([
    { kind: "account", address, length: mintBytesWithExtensions },
    { kind: "token_accounts", owner: address },
    ...(program.executable ? idlReads(address) : []),
  ]);
  const account = unpackAccount(result);
  const { idl, sources } = await offload(findIdlTask, { results: idlResults, program: address });
  const described = {
    address,
    program,
    lamports: account?.lamports ?? 0n,
    mint: mintOf(account),
    oracle: oracleOf(account),
    multisig: await multisigOf(pinned, address, account),
    nonceAuthority: nonceAuthorityOf(account),
    holding: tokenHoldingOf(account),
  };
  const ownedAccounts = unpackOwnedAccounts(owned);
  const vaults = program.executable ? await findVaultsOf(pinned, address) : [];
  return {
    ...described,
    holdingDecimals: await decimalsOf(pinned, described.holding?.mint),
    owned: ownedAccounts ?? [],
    vaults: vaults ?? [],
    areHoldingsKnown: ownedAccounts !== undefined && vaults !== undefined,
    authorities: await inspectAuthorities(
      pinned,
      authoritiesOf(described).map(({ holder }) => holder),
    ),
    idl,
    sources: program.executable ? sources : [],
  };
}

async function multisigOf(
  pinned: PinnedBlock,
  address: string,
  account: AccountState | undefined,
): Promise<SquadsMultisig | undefined> {
  if (!squadsVersionOf(account)) return undefined;
  const [whole] = await pinned.read([{ kind: "account", address, length: multisigBytes }]);
  return squadsMultisigOf(unpackAccount(whole));
}

function mintOf(account: ReturnType<typeof unpackAccount>): Mint | undefined {
  const [supply, authorities] = [mintSupplyOf(account), mintAuthoritiesOf(account)];
  if (!supply || !authorities) return undefined;
  return {
    supply: supply.amount,
    decimals: supply.decimals,
    authorities,
    extensions: mintExtensionsOf(account),
  };
}

/** Undefined if the search failed. The engine searches again if a target measures a token. */
async function findVaultsOf(pinned: PinnedBlock, program: string): Promise<Vault[] | undefined> {
  const [found] = await pinned.read([{ kind: "vaults", program, known: [] }]);
  return unpackVaults(found);
}

async function decimalsOf(pinned: PinnedBlock, mint: string | undefined): Promise<number | undefined> {
  if (!mint) return undefined;
  const [supply] = await pinned.read([{ kind: "token_supply", mint }]);
  return unpackAmount(supply)?.decimals;
}
