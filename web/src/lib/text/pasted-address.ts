/** What was found in a pasted text: an address, and the chain if the text is a link to its explorer. */
export type Pasted = { address: string; chain: string | undefined };

type Explorer = { chain: string; explorer_url: string | null };

/** Finds the address in an address, an explorer link or a sentence around it. */
export function parsePasted(text: string, chains: Explorer[]): Pasted | undefined {
  const evm = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/.exec(text)?.[0];
  const address =
    evm ?? /(?<![1-9A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{32,44}(?![1-9A-HJ-NP-Za-km-z])/.exec(text)?.[0];
  if (!address) return undefined;
  const url = text
    .trim()
    .split(/\s/)
    .find((word) => URL.canParse(word) && word.startsWith("http"));
  const host = url && new URL(url).host.replace(/^www\./, "");
  const chain = chains.find(
    ({ explorer_url }) => explorer_url && new URL(explorer_url).host.replace(/^www\./, "") === host,
  )?.chain;
  return { address, chain };
}
