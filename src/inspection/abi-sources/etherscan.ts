import { z } from "zod";
import { fetchServiceJson, SourceError } from "../abi/external-services.ts";
import { type AbiSource, nameIn } from "./abi-source.ts";

const shape = z.object({
  status: z.string(),
  result: z.union([z.string(), z.array(z.object({ ABI: z.string(), ContractName: z.string().nullish() }))]),
});

/** Etherscan's API for many chains, which needs a key. Every answer is a 200; what went wrong is in its text. */
export const etherscan: AbiSource = {
  name: "etherscan",
  async find(services, chain_id, address, timeoutMs) {
    const { etherscanUrl, etherscanKey } = services;
    if (!etherscanKey) throw new SourceError("skipped", "ETHERSCAN_API_KEY is not set.");
    const url = new URL(etherscanUrl);
    const query = {
      chainid: String(chain_id),
      module: "contract",
      action: "getsourcecode",
      address,
      apikey: etherscanKey,
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { body } = await fetchServiceJson(services, url, timeoutMs);
    const parsed = shape.safeParse(body);
    if (!parsed.success) throw new SourceError("invalid", "Its answer makes no sense.");
    const { result } = parsed.data;
    if (typeof result === "string") throw explain(result);
    const [first] = result;
    if (!first || /not verified/i.test(first.ABI)) {
      throw new SourceError("not_found", "It does not have this contract's source.");
    }
    return { abi: first.ABI, name: nameIn(first.ContractName) };
  },
};

function explain(text: string): SourceError {
  if (/rate limit|too many/i.test(text)) return new SourceError("rate_limited", "It asks to slow down.");
  if (/not verified/i.test(text))
    return new SourceError("not_found", "It does not have this contract's source.");
  if (/chainid/i.test(text)) return new SourceError("not_found", "It does not know this chain.");
  if (/api ?key/i.test(text)) return new SourceError("unavailable", "It refuses ETHERSCAN_API_KEY.");
  return new SourceError("unavailable", "It answered with an error.");
}
