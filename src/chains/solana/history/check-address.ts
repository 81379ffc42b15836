import { z } from "zod";
import type { Rpc } from "../../rpc/rpc.ts";
import { problemOfListing } from "./list-address.ts";

const pageSize = 1_000;
const slotSeconds = 0.4;
const checkMs = 20_000;

const page = z.array(z.object({ slot: z.int().nonnegative() }));

/**
 * Returns why an address cannot be followed now: it cannot be listed, or it has more transactions than the nodes return in
 * the same time. Undefined if it can be followed.
 */
export async function checkAddress(
  rpc: Rpc,
  address: string,
  readPerSecond: number | undefined,
): Promise<string | undefined> {
  const params = [address, { limit: pageSize, commitment: "confirmed" }];
  try {
    const reply = await rpc.request("getSignaturesForAddress", params, { totalMs: checkMs });
    const listed = page.safeParse(reply);
    if (!listed.success) return "cannot be listed: a node returned an invalid list of signatures";
    const head = await rpc.request<number>("getSlot", [{ commitment: "confirmed" }], { totalMs: checkMs });
    return tooBusy(listed.data, head, readPerSecond);
  } catch (error) {
    return problemOfListing({ error });
  }
}

/** A page that is not full covers the whole history of the address. */
function tooBusy(
  listed: z.output<typeof page>,
  head: number,
  readPerSecond: number | undefined,
): string | undefined {
  const oldest = listed.at(-1);
  if (!oldest || listed.length < pageSize || readPerSecond === undefined) return undefined;
  const perSecond = listed.length / (Math.max(1, head - oldest.slot) * slotSeconds);
  if (perSecond <= readPerSecond) return undefined;
  return (
    `has about ${Math.round(perSecond)} transactions a second, of which the nodes return about ` +
    `${Math.round(readPerSecond)}, more than can be read in time`
  );
}
