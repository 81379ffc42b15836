import { pad } from "../../chains/evm/values/hex.ts";
import { addressInWord, readCall, wordOf } from "../../meters/state-results.ts";
import { addressIn } from "../classify/call-results.ts";
import type { ProxyKind } from "./proxy-kind.ts";

const masterCopy = "masterCopy() view returns (address)";

/** Safe proxies. masterCopy() must match the first slot, because other contracts keep an owner in that slot. */
export const safe: ProxyKind = {
  kind: "safe",
  reads: (address) => [{ kind: "storage", address, slot: pad("0x0") }, readCall(address, masterCopy)],
  detect(_code, [slot, named]) {
    const singleton = addressIn(named, masterCopy);
    const isConfirmed = singleton === addressInWord(wordOf(slot, "The first slot"));
    return singleton && isConfirmed ? { implementations: [singleton] } : undefined;
  },
};
