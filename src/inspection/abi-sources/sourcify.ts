import { z } from "zod";
import { fetchServiceJson, SourceError } from "../abi/external-services.ts";
import { type AbiSource, validContractName } from "./abi-source.ts";

const shape = z.object({
  match: z.string().nullish(),
  abi: z.array(z.unknown()).nullish(),
  compilation: z.object({ name: z.string().nullish() }).nullish(),
});

/** Sourcify, which requires no key. */
export const sourcify: AbiSource = {
  name: "sourcify",
  async find(services, chain_id, address, timeoutMs) {
    const url = new URL(`${services.sourcifyUrl}/v2/contract/${chain_id}/${address}?fields=abi,compilation`);
    const { status, body } = await fetchServiceJson(services, url, timeoutMs);
    if (status === 404)
      throw new SourceError("not_found", "The source of the contract is not verified there.");
    // Sourcify replies with 400 for an unsupported chain.
    if (status === 400)
      throw new SourceError("not_found", "The service does not support this chain or address.");
    const parsed = shape.safeParse(body);
    if (status !== 200 || !parsed.success)
      throw new SourceError("invalid", "The reply of the service has an unexpected format.");
    const { match, abi, compilation } = parsed.data;
    if (!match || !abi)
      throw new SourceError("not_found", "The source of the contract is not verified there.");
    return { abi, name: validContractName(compilation?.name) };
  },
};
