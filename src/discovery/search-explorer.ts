import { z } from "zod";
import { parseAddress } from "../chains/evm/values/address.ts";
import { type ExternalServices, fetchServiceJson, SourceError } from "../inspection/abi/external-services.ts";
import type { RelatedAddress, SearchResult } from "./related-address.ts";

const row = z.object({
  from: z.string().nullish(),
  to: z.string().nullish(),
  contractAddress: z.string().nullish(),
  timeStamp: z.string().nullish(),
  isError: z.string().nullish(),
  type: z.string().nullish(),
});
const shape = z.object({
  status: z.string(),
  message: z.string().nullish(),
  result: z.union([z.string(), z.array(row)]),
});
type Row = z.infer<typeof row>;

/** The maximum number of rows per request. */
const maxRows = 10_000;
const timeoutMs = 10_000;

/** Searches the whole history of a wallet in an explorer. Rejects with a SourceError if the request fails. */
export async function searchExplorer(
  services: ExternalServices,
  chain_id: number,
  wallet: string,
): Promise<SearchResult> {
  const sent = await fetchRows(services, chain_id, "txlist", wallet);
  const internal = await fetchRows(services, chain_id, "txlistinternal", wallet);
  const tokens = await fetchRows(services, chain_id, "tokentx", wallet);
  const isOwn = ({ from }: Row) => from?.toLowerCase() === wallet.toLowerCase();
  const created = [...sent.filter(isOwn), ...internal.filter(({ type }) => type?.startsWith("create"))];
  const addresses = [
    ...countBy(created, ({ contractAddress }) => contractAddress, "deployed"),
    ...countBy(
      sent.filter((row) => isOwn(row) && !row.contractAddress),
      ({ to }) => to,
      "interacted",
    ),
    ...countBy(tokens, ({ contractAddress }) => contractAddress, "token_held"),
  ];
  const isTruncated = [sent, internal, tokens].some(({ length }) => length >= maxRows);
  return {
    addresses,
    limitations: isTruncated
      ? [`The explorer covers the newest ${maxRows} transactions of each kind only.`]
      : [],
  };
}

/** All replies have HTTP status 200. An empty list has the status of an error. */
async function fetchRows(
  services: ExternalServices,
  chain_id: number,
  action: string,
  address: string,
): Promise<Row[]> {
  const url = new URL(services.etherscanUrl);
  const query = {
    chainid: String(chain_id),
    module: "account",
    action,
    address,
    page: "1",
    offset: String(maxRows),
    sort: "desc",
    apikey: services.etherscanKey ?? "",
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const { body } = await fetchServiceJson(services, url, timeoutMs);
  const parsed = shape.safeParse(body);
  if (!parsed.success)
    throw new SourceError("invalid", "The reply of the explorer has an unexpected format.");
  const { result, message } = parsed.data;
  if (typeof result !== "string") return result;
  if (/no transactions found/i.test(`${message} ${result}`)) return [];
  if (/rate limit|too many/i.test(result))
    throw new SourceError("rate_limited", "The explorer limits the request rate.");
  throw new SourceError("unavailable", "The explorer replied with an error.");
}

function countBy(
  rows: Row[],
  addressOf: (row: Row) => string | null | undefined,
  relation: RelatedAddress["relation"],
): RelatedAddress[] {
  const entries = rows.flatMap((row) => {
    const address = parseAddress(addressOf(row) ?? "");
    return address ? [{ address, time: Number(row.timeStamp) }] : [];
  });
  return [...Map.groupBy(entries, ({ address }) => address)].map(([address, group]) => {
    const times = group.map(({ time }) => time).filter((time) => Number.isFinite(time) && time > 0);
    return {
      address,
      relation,
      tx_count: group.length,
      last_at: times.length > 0 ? Math.max(...times) : null,
    };
  });
}
