import { z } from "zod";
import { callReading } from "../evidence.ts";
import { timesText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { numberText, senderText, type Words } from "../words.ts";
import { grantsOf } from "./control-grants.ts";

/** Counts who was given control of a wallet's or a token account's funds. */
export const solanaDelegation = defineMeter({
  type: "solana_delegation",
  title: "Delegations",
  about:
    "1 for each delegate that was granted on the token account, or on a token account of the wallet: it can then move the tokens. Also counted are a token account that is given to another owner, one that someone else may now close to get its SOL, and a wallet that is given to a program. Detected from the instructions of successful transactions, including those that programs invoke.",
  unit: "changes",
  isOccurrence: true,
  families: ["solana"],
  instances: "one",
  config: z.strictObject({}),
  needs: ["transactions"],
  aggregation: "sum",

  measure(_config, activity, { address }) {
    return grantsOf(activity, address).map(({ call, position, ...grant }) => ({
      ...callReading(call, 1, { ...grant, sender: call.from }),
      position,
    }));
  },

  describe(_config, occasion) {
    const { reading, value, aggregation, words } = occasion;
    if (value !== 1 || aggregation === "rate") return `control was given away ${timesText(occasion)}`;
    return `${grantText(reading?.evidence ?? {}, words)}${senderText(reading, words)}`;
  },
});

function grantText(
  { granted, account, to, amount, decimals }: Record<string, unknown>,
  words: Words,
): string {
  if (granted === "wallet") return `wallet given to the program ${words.address(to)}`;
  const where = `token account ${words.address(account)}`;
  if (granted === "owner") return `${where} given to ${words.address(to)}`;
  if (granted === "close") return `${where} can be closed by ${words.address(to)}, granted`;
  const units = Number(amount) / 10 ** Number(decimals ?? 0);
  const much = `${numberText(units)} ${typeof decimals === "number" ? "tokens" : "of the smallest unit"}`;
  const limit = amount === maxAmount ? "any amount" : much;
  return `delegate ${words.address(to)} of the ${where} may move ${limit}, granted`;
}

/** Stands for any amount. */
const maxAmount = 2n ** 64n - 1n;
