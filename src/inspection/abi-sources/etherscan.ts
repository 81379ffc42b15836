import { z } from "zod";
import { fetchServiceJson, SourceError } from "../abi/external-services.ts";
import { type AbiSource, validContractName } from "./abi-source.ts";

const shape = z.object({
  status: z.string(),
  result: z.union([z.string(), z.array(z.object({ ABI: z.string(), ContractName: z.string().nullish() }))]),
});

/** Etherscan's multichain API, which requires a key. All replies have status 200; errors are in the text. */
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
    if (!parsed.success)
      throw new SourceError("invalid", "The reply of the service has an unexpected format.");
    const { result } = parsed.data;
    if (typeof result === "string") throw toSourceError(result);
    const [first] = result;
    if (!first || /not verified/i.test(first.ABI)) {
      throw new SourceError("not_found", "The source of the contract is not verified there.");
    }
    return { abi: first.ABI, name: validContractName(first.ContractName) };
  },
};

function toSourceError(text: string): SourceError {
  if (/rate limit|too many/i.test(text))
    return new SourceError("rate_limited", "The service limits the request rate.");
  if (/not verified/i.test(text))
    return new SourceError("not_found", "The source of the contract is not verified there.");
  if (/chainid/i.test(text)) return new SourceError("not_found", "The service does not support this chain.");
  if (/api ?key/i.test(text))
    return new SourceError("unavailable", "The service rejected ETHERSCAN_API_KEY.");
  return new SourceError("unavailable", "The service replied with an error.");
}
