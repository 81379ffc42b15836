import { timeText } from "../../../lib/text.ts";

const maxTokensShown = 3;

/** What is not followed of the token accounts of a holder, or of the vaults of a program. */
export type SearchProblem = {
  /** The time since which they cannot be searched. */
  failingSince: number | undefined;
  /** The tokens of a holder that cannot be searched, if others can. */
  failingTokens?: readonly string[] | undefined;
  /** The number of accounts that are too many. */
  unfollowed: number;
};

/** Returns what is not followed of the vaults of a program, for the status of its contract; null if everything is. */
export function vaultProblemText({ failingSince, unfollowed }: SearchProblem): string | null {
  if (failingSince !== undefined)
    return (
      `The vaults of this program cannot be searched since ${timeText(new Date(failingSince * 1000))}. Those that are known are followed. What others ` +
      "hold and transfer is not counted until the nodes return the newest transactions of the program again."
    );
  if (unfollowed === 0) return null;
  return (
    `${unfollowed === 1 ? "1 vault of this program is" : `${unfollowed} vaults of this program are`} not followed, because of each token ` +
    "the 20 vaults that hold the most are. What the others hold and transfer is not counted. Monitor such a vault as a contract."
  );
}

/** Returns what is not followed and what to do, for the status of a contract; null if everything is. */
export function searchProblemText({ failingSince, failingTokens, unfollowed }: SearchProblem): string | null {
  const sentences = [
    ...(failingSince === undefined ? [] : [failingText(failingSince, failingTokens)]),
    ...(unfollowed > 0 ? [unfollowedText(unfollowed)] : []),
  ];
  return sentences.length > 0 ? sentences.join(" ") : null;
}

function failingText(since: number, tokens: readonly string[] | undefined): string {
  const shown = tokens?.slice(0, maxTokensShown).join(", ");
  const others =
    tokens && tokens.length > maxTokensShown ? ` and ${tokens.length - maxTokensShown} others` : "";
  const accounts = tokens
    ? `accounts of this address of the token ${shown}${others}`
    : "token accounts of this address";
  return (
    `The nodes cannot list the ${accounts} since ${timeText(new Date(since * 1000))}. ` +
    "Those that are known are followed. Transfers into accounts that were opened since then will be counted when the nodes " +
    "list them again. If they do not, check that the token exists, or use an endpoint that lists token accounts by owner."
  );
}

function unfollowedText(count: number): string {
  return (
    `${count === 1 ? "1 token account of this address is" : `${count} token accounts of this address are`} not followed, ` +
    "because the associated accounts and the 20 others that hold the most are. Their transfers are not counted. " +
    "Move what they hold into an account that is followed, or monitor such an account as a contract."
  );
}
