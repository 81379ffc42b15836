import { z } from "zod";
import { RpcError } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";

/** A slot and its time. */
export type SlotTime = { slot: number; time: number };

/** The account in which the runtime keeps the slot and its time, so that one call returns both. */
const clockAccount = "SysvarC1ock11111111111111111111111111111111";
/** The slot, the start of the epoch, the epoch, that of the leader schedule and the time, eight bytes each. */
const clockBytes = 40;
const timeOffset = 32;

const shape = z.object({ value: z.object({ data: z.tuple([z.string(), z.literal("base64")]) }) });

/** Reads the newest confirmed slot and its time; undefined if the node does not return them like this. */
export async function readClock(session: Session): Promise<SlotTime | undefined> {
  const params = [clockAccount, { commitment: "confirmed", encoding: "base64" }];
  const reply = await session.request("getAccountInfo", params).catch((error: unknown) => {
    if (error instanceof RpcError) return undefined;
    throw error;
  });
  const parsed = shape.safeParse(reply);
  const data = Buffer.from(parsed.data?.value.data[0] ?? "", "base64");
  if (data.length < clockBytes) return undefined;
  const [slot, time] = [Number(data.readBigUInt64LE(0)), Number(data.readBigInt64LE(timeOffset))];
  return Number.isSafeInteger(slot) && Number.isSafeInteger(time) && time > 0 ? { slot, time } : undefined;
}
