import { addresses, keeper } from "./story/accounts.ts";

/** The contracts and wallets that a newcomer is shown, the most interesting first. */
export const cast = [
  { address: addresses.lending, label: "Demo lending pool" },
  { address: addresses.usd, label: "Demo Dollar" },
  { address: addresses.pair, label: "Demo pool dETH/dUSD" },
  { address: addresses.feed, label: "Demo price feed ETH/USD" },
  { address: addresses.bridge, label: "Demo bridge vault" },
  { address: addresses.vault, label: "Demo vault" },
  { address: addresses.timelock, label: "Demo timelock" },
  { address: addresses.safe, label: "Demo Safe" },
  { address: keeper, label: "Demo keeper" },
] as const;

/** The rule that no template has: transfers of the token beyond this amount. */
export const largeTransfer = { address: addresses.usd, decimals: 6, threshold: 1_000_000 };

/** The incident that begins when someone starts the demo, some blocks later, so that its rules are followed by then. */
export const firstIncident = { name: "upgrade", delayBlocks: 4 } as const;
