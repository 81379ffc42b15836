import { z } from "zod";
import { fetchServiceJson, SourceError } from "../abi/external-services.ts";
import { type AbiSource, nameIn } from "./abi-source.ts";

const shape = z.object({
  match: z.string().nullish(),
  abi: z.array(z.unknown()).nullish(),
  compilation: z.object({ name: z.string().nullish() }).nullish(),
});

/** Sourcify, which needs no key. */
export const sourcify: AbiSource = {
  name: "sourcify",
  async find(services, chain_id, address, timeoutMs) {
    const url = new URL(`${services.sourcifyUrl}/v2/contract/${chain_id}/${address}?fields=abi,compilation`);
    const { status, body } = await fetchServiceJson(services, url, timeoutMs);
    if (status === 404) throw new SourceError("not_found", "It does not have this contract.");
    // A chain that it does not know is a bad request to it.
    if (status === 400) throw new SourceError("not_found", "It does not know this chain or address.");
    const parsed = shape.safeParse(body);
    if (status !== 200 || !parsed.success) throw new SourceError("invalid", "Its answer makes no sense.");
    const { match, abi, compilation } = parsed.data;
    if (!match || !abi) throw new SourceError("not_found", "It does not have this contract.");
    return { abi, name: nameIn(compilation?.name) };
  },
};
