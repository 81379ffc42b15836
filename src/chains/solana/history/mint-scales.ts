import type { Rpc } from "../../rpc/rpc.ts";
import { tokenProgram } from "../accounts/address.ts";
import { fetchAccounts } from "../accounts/fetch-accounts.ts";
import { mintBytesWithExtensions } from "../accounts/mint-extensions.ts";
import { type MintScale, mintScaleOf } from "../accounts/mint-scale.ts";
import type { LocatedTransaction, TokenChange } from "../transactions/transaction.ts";

const maxMints = 10_000;

/**
 * Adds to the token balances of transactions by what their amounts are multiplied when they are shown, which nodes do not report.
 * Mints of Token-2022 are read once, and those with a scale again with each batch of their transactions, because the scale may
 * change.
 */
export class MintScales {
  private readonly rpc: Rpc;
  /** The mints that were read; undefined for those without a scale. */
  private readonly scales = new Map<string, MintScale | undefined>();

  constructor(rpc: Rpc) {
    this.rpc = rpc;
  }

  /** Never rejects because of nodes: an amount without its scale is the stored one. */
  async addTo(
    transactions: readonly LocatedTransaction[],
    nowSeconds: number,
    prefer: number | undefined,
  ): Promise<void> {
    const open = transactions.flatMap(({ transaction, time }) =>
      transaction.token_balances.filter(mayBeScaled).map((change) => ({ change, time: time ?? nowSeconds })),
    );
    const isDue = ({ mint }: TokenChange) => !this.scales.has(mint) || this.scales.get(mint) !== undefined;
    await this.read([...new Set(open.flatMap(({ change }) => (isDue(change) ? change.mint : [])))], prefer);
    for (const { change, time } of open) {
      const scale = this.scales.get(change.mint)?.(time);
      if (scale !== undefined && Number.isFinite(scale)) change.scale = scale;
    }
  }

  private async read(mints: readonly string[], prefer: number | undefined): Promise<void> {
    if (mints.length === 0) return;
    const reads = mints.map((address) => ({ address, length: mintBytesWithExtensions }));
    const found = await fetchAccounts(this.rpc, reads, 0, prefer).catch(() => undefined);
    if (this.scales.size > maxMints) this.scales.clear();
    for (const [mint, fetched] of found ?? [])
      if (fetched.ok) this.scales.set(mint, mintScaleOf(fetched.account));
  }
}

function mayBeScaled({ program, scale }: TokenChange): boolean {
  return program !== tokenProgram && scale === undefined;
}
