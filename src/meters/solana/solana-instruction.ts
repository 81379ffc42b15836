import { z } from "zod";
import { decodeInstructionOnce } from "../../chains/solana/decode-block.ts";
import { isEventCall } from "../../chains/solana/idl/decode.ts";
import { discriminatorOf, snakeCase } from "../../chains/solana/idl/discriminator.ts";
import { type Idl, noIdl } from "../../chains/solana/idl/idl.ts";
import type { SolanaInstruction } from "../../chains/solana/transactions/transaction.ts";
import { memoize } from "../../lib/caching/memoize.ts";
import { expressionText, matchesFilter } from "../config-filters.ts";
import { callReading } from "../evidence.ts";
import { timesText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { decodedOf, decodedText, failureText, senderText } from "../words.ts";

const shape = z
  .strictObject({
    name: z.string().min(1).max(256).optional().describe("The instruction name in the IDL"),
    discriminator: z
      .string()
      .regex(
        /^0x([0-9a-f]{2}){1,64}$/i,
        "must be 0x followed by the first bytes of the instruction data in hexadecimal",
      )
      .optional()
      .describe("The first bytes of the instruction data, for programs without an IDL"),
    filter: expressionText
      .optional()
      .describe("An expression on the instruction arguments; only matching instructions are counted"),
    include_cpi: z
      .boolean()
      .default(true)
      .describe("Also count instructions invoked by other programs (CPI)"),
  })
  .refine(({ name, discriminator }) => (name === undefined) !== (discriminator === undefined), {
    message: "Exactly one of name and discriminator is required.",
    path: ["name"],
  });

/** Counts the executions of one instruction. */
export const solanaInstruction = defineMeter({
  type: "solana_instruction",
  title: "Instructions",
  example: { name: "withdraw" },
  about:
    "Counts one instruction of the program, invoked directly or by other programs (CPI), including in failed transactions.",
  unit: "instructions",
  families: ["solana"],
  instances: "many",
  config: shape,
  needs: ["transactions"],
  aggregation: "count",

  measuresEach: true,
  measure({ name, discriminator, filter, include_cpi }, { calls }, { address, idl = noIdl }) {
    const discriminators = discriminatorsOf(idl, name, discriminator);
    return calls.flatMap((call) =>
      (call.solana?.instructions ?? [])
        .filter(({ program, depth }) => program === address && (include_cpi || depth === 1))
        .filter(
          (instruction) =>
            !isEventCall(instruction) && discriminators.some((prefix) => startsWith(instruction, prefix)),
        )
        .map((instruction) => ({ one: instruction, decoded: decodeInstructionOnce(idl, instruction) }))
        .filter(({ decoded }) => matchesFilter(decoded, filter))
        .map(({ one: instruction, decoded }) => ({
          ...callReading(call, 1, { depth: instruction.depth, ...(decoded && { decoded }) }),
          position: instruction.position,
        })),
    );
  },

  describe({ name, discriminator }, occasion) {
    const { reading, value, aggregation, words } = occasion;
    const decoded = decodedOf(reading);
    if (value === 1 && aggregation !== "rate") {
      const what = decoded ? decodedText(decoded, words) : `instruction ${name ?? discriminator}`;
      const failed = reading?.evidence?.status === "failed" ? "failed " : "";
      return `${failed}${what}${senderText(reading, words)}${failureText(reading)}`;
    }
    return `instruction ${name ?? discriminator} ran ${timesText(occasion)}`;
  },
});

/** Returns the discriminators of the name in the IDL, else the Anchor discriminator of the name. */
function discriminatorsOf(idl: Idl, name: string | undefined, discriminator: string | undefined): Buffer[] {
  if (discriminator !== undefined) return [Buffer.from(discriminator.slice(2), "hex")];
  const wanted = snakeCase(name ?? "");
  const candidates = idl.instructions.filter((instruction) => snakeCase(instruction.name) === wanted);
  return candidates.length > 0
    ? candidates.map((instruction) => instruction.discriminator)
    : [anchorDiscriminator(wanted)];
}

const anchorDiscriminator = memoize(10_000, (name) => discriminatorOf("global", name));

function startsWith({ data }: SolanaInstruction, prefix: Buffer): boolean {
  return data.subarray(0, prefix.length).equals(prefix);
}
