import type { Activity, Call } from "../../chains/activity.ts";
import { addressOfBytes, token2022Program, tokenProgram } from "../../chains/solana/accounts/address.ts";
import type { SolanaInstruction } from "../../chains/solana/transactions/transaction.ts";
import { type StatePart, settingIn, type TokenChange } from "./token-setting.ts";

/** The polled state of a mint or token account that was closed. */
export const closedState = "closed";

/** A successful instruction of a token program that changes who controls a mint or a token account, or what can be done with it. */
export type TokenAction = TokenChange & { call: Call; position: number };

/** Returns the actions of a block on a mint or a token account, in order. */
export function tokenActions({ calls, nearby = [] }: Activity, account: string): TokenAction[] {
  return [...calls, ...nearby]
    .sort((a, b) => a.tx_index - b.tx_index)
    .flatMap((call) => {
      if (!call.solana?.is_success) return [];
      return call.solana.instructions.flatMap((instruction) => {
        const change = instruction.accounts[0] === account ? changeIn(instruction) : undefined;
        return change ? [{ call, position: instruction.position, ...change }] : [];
      });
    });
}

/** The token programs identify their instructions by the first byte; those of both have the same numbers. */
function changeIn({ program, accounts, data }: SolanaInstruction): TokenChange | undefined {
  if (program !== tokenProgram && program !== token2022Program) return undefined;
  const [, second = null, third = null] = accounts;
  switch (data[0]) {
    case 4:
      return { what: "delegate", part: "delegate", before: null, after: second };
    case 13:
      return { what: "delegate", part: "delegate", before: null, after: third };
    case 5:
      return { what: "delegate", part: "delegate", before: null, after: "none" };
    case 6:
      return authorityIn(data, second);
    case 9:
      return { what: "account", part: "account", before: "open", after: closedState };
    case 10:
      return { what: "account", part: undefined, before: "usable", after: "frozen" };
    case 11:
      return { what: "account", part: undefined, before: "frozen", after: "usable" };
    default:
      return program === token2022Program ? settingIn(data) : undefined;
  }
}

/** The kinds of authority by their number. From the fifth on they are those of Token-2022. */
const authorities: readonly (readonly [what: string, part?: StatePart])[] = [
  ["mint authority", "mint"],
  ["freeze authority", "freeze"],
  ["owner", "owner"],
  ["close authority", "close"],
  ["transfer fee authority", "fees"],
  ["withdraw authority of withheld fees", "fee-withdrawal"],
  ["close authority of the mint", "mint-close"],
  ["interest rate authority", "interest"],
  ["permanent delegate", "permanent-delegate"],
  ["confidential transfer authority"],
  ["transfer hook authority", "hook"],
  ["confidential transfer fee authority"],
  ["metadata pointer authority"],
  ["group pointer authority"],
  ["group member pointer authority"],
  ["scaled amount authority", "scaling"],
  ["pause authority", "pause"],
  ["burn authority"],
];

/** SetAuthority: the kind of authority, whether there is a new one, and its address. */
function authorityIn(data: Buffer, before: string | null): TokenChange | undefined {
  const kind = data[1];
  if (kind === undefined || data.length < 3) return undefined;
  const [what, part] = authorities[kind] ?? [`authority of kind ${kind}`];
  const after = data[2] === 1 && data.length >= 35 ? addressOfBytes(data.subarray(3, 35)) : "none";
  return { what, part, before, after };
}

/** The state that the next poll reads after a change, so that it does not report the change again. */
export function stateAfter(state: string, { part, after }: Pick<TokenAction, "part" | "after">): string {
  if (part === "account") return after ?? state;
  if (!part || state === closedState) return state;
  const parts = state.split(", ").map((part) => part.split(" ") as [string, string]);
  const [owner] = parts.filter(([name]) => name === "owner").map(([, value]) => value);
  const [close] = parts.filter(([name]) => name === "close").map(([, value]) => value);
  return parts
    .map(([name, value]) => {
      // A value of the state has no spaces.
      const newValue = after?.replaceAll(" ", "");
      if (name === part) return `${name} ${part === "close" && after === "none" ? owner : newValue}`;
      // A new owner starts without a delegate, and closes the account unless someone else may.
      if (part === "owner" && name === "delegate") return `${name} none`;
      if (part === "owner" && name === "close" && close === owner) return `${name} ${after}`;
      return `${name} ${value}`;
    })
    .join(", ");
}

/** What a part of the polled state is, as it is shown. */
export function valueIn(state: string, part: StatePart): string | undefined {
  const entry = state.split(", ").find((entry) => entry.startsWith(`${part} `));
  return entry?.slice(part.length + 1).replace(/%$/, " %");
}
