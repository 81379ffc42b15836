import type { BlockRef, Fork } from "../../reader.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { ListedSignature } from "./listed-signature.ts";

/** The slots of committed transactions, by signature. */
type CommittedSlots = Map<string, number>;

export type ComparisonLimits = {
  finalized: number;
  /** Up to this slot, a transaction that is not listed may be lost. */
  lostUpTo: number;
};

/** The lowest slot that differs. `isLate` if the chain did not change: transactions only appeared late. */
export type ChangedSlot = { slot: number; isLate: boolean };

/**
 * Returns the lowest slot whose transactions differ from what was committed: one appeared late, moved to another slot or
 * disappeared. Undefined when nothing changed.
 */
export async function lowestChangedSlot(
  rpc: Rpc,
  refs: readonly BlockRef[],
  listed: readonly ListedSignature[],
  limits: ComparisonLimits,
): Promise<ChangedSlot | undefined> {
  const committed: CommittedSlots = new Map(
    refs.flatMap(({ height, seen }) =>
      (seen?.transactions ?? []).map((signature) => [signature, height] as const),
    ),
  );
  const late = listed.filter(({ signature }) => !committed.has(signature)).map(({ slot }) => slot);
  const moved = listed.flatMap(({ signature, slot }) => {
    const committedSlot = committed.get(signature) ?? slot;
    return committedSlot === slot ? [] : [Math.min(slot, committedSlot)];
  });
  const listedSignatures = new Set(listed.map(({ signature }) => signature));
  const missing = new Map(
    [...committed].filter(([signature, slot]) => slot <= limits.lostUpTo && !listedSignatures.has(signature)),
  );
  const lost = missing.size > 0 ? await lostSlots(rpc, missing, limits.finalized) : [];
  const [lowest] = [...late, ...moved, ...lost].sort((a, b) => a - b);
  return lowest === undefined ? undefined : { slot: lowest, isLate: moved.length + lost.length === 0 };
}

/** The fork at the newest stored block below a slot. */
export function forkBelow(refs: readonly BlockRef[], { slot, isLate }: ChangedSlot): Fork | undefined {
  const depth = refs.findIndex(({ height }) => height < slot);
  const ancestor = refs[depth];
  return ancestor && { ancestor, depth, ...(isLate && { isLate: true as const }) };
}

/** The number of signatures per request. */
const maxStatuses = 256;

/**
 * The slots of transactions that disappeared. A node that does not know a transaction may lag, so it counts as lost only when
 * its slot is final, or when it is found in another slot.
 */
async function lostSlots(rpc: Rpc, missing: CommittedSlots, finalized: number): Promise<number[]> {
  const lost: number[] = [];
  const all = [...missing];
  for (let position = 0; position < all.length; position += maxStatuses) {
    const part = all.slice(position, position + maxStatuses);
    const statuses = await statusesOf(
      rpc,
      part.map(([signature]) => signature),
    );
    for (const [index, [, slot]] of part.entries()) {
      const now = statuses.map((slots) => slots[index]).find((status) => status !== undefined);
      if (now === undefined ? slot <= finalized && statuses.length > 0 : now !== slot)
        lost.push(Math.min(slot, now ?? slot));
    }
  }
  return lost;
}

type Status = { slot?: unknown; confirmationStatus?: unknown } | null;

/** For each endpoint that replies, the slots of the transactions. */
async function statusesOf(rpc: Rpc, signatures: string[]): Promise<(number | undefined)[][]> {
  return rpc.survey(async (session) => {
    const params = [signatures, { searchTransactionHistory: true }];
    const { value } = await session.request<{ value?: unknown }>("getSignatureStatuses", params, {
      mustExist: true,
    });
    if (!Array.isArray(value) || value.length !== signatures.length) {
      throw new EndpointFailure("malformed", "returned invalid signature statuses");
    }
    return (value as Status[]).map((status) =>
      Number.isSafeInteger(status?.slot) && status?.confirmationStatus !== "processed"
        ? (status?.slot as number)
        : undefined,
    );
  });
}
