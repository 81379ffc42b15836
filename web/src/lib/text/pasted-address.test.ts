import { expect, test } from "vitest";
import { parsePasted } from "./pasted-address.ts";

const chains = [
  { chain: "ethereum", explorer_url: "https://etherscan.io" },
  { chain: "base", explorer_url: "https://basescan.org" },
  { chain: "local", explorer_url: null },
];
const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

test.each([
  [address, { address, chain: undefined }],
  [` ${address}\n`, { address, chain: undefined }],
  [`https://basescan.org/address/${address}#code`, { address, chain: "base" }],
  [`https://www.etherscan.io/token/${address}?a=1`, { address, chain: "ethereum" }],
  [`see ${address}, please`, { address, chain: undefined }],
  [
    "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
    { address: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", chain: undefined },
  ],
])("an address is found in %s", (text, found) => {
  expect(parsePasted(text, chains)).toEqual(found);
});

test.each(["", "vault", "0x1234", `0x${"a".repeat(64)}`])("no address is found in %s", (text) => {
  expect(parsePasted(text, chains)).toBeUndefined();
});
