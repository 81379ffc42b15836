import { z } from "zod";
import { decodeInstruction, isEventCall } from "../../chains/solana/idl/decode.ts";
import { discriminatorOf, type Idl, noIdl, snakeCase } from "../../chains/solana/idl/idl.ts";
import type { SolanaInstruction } from "../../chains/solana/transactions/transaction.ts";
import { memoize } from "../../lib/memoize.ts";
import { expressionText, matchesFilter } from "../config-filters.ts";
import { callReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";

const shape = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe("The instruction's name, as the IDL or Anchor has it"),
    discriminator: z
      .string()
      .regex(/^0x([0-9a-f]{2}){1,64}$/i, "is 0x and the first bytes of the data in hexadecimal")
      .optional()
      .describe("The first bytes of its data, for programs without an IDL"),
    filter: expressionText.optional().describe("Count only instructions whose arguments are so"),
    include_cpi: z.boolean().default(true).describe("Also count what other programs call"),
  })
  .refine(({ name, discriminator }) => (name === undefined) !== (discriminator === undefined), {
    message: "Give either name or discriminator.",
    path: ["name"],
  });

/** How often one instruction of the program runs. */
export const solanaInstruction = defineMeter({
  type: "solana_instruction",
  title: "Instructions",
  about:
    "Counts one instruction of the program, called directly or by other programs, in failed transactions too.",
  unit: "instructions",
  families: ["solana"],
  instances: "many",
  config: shape,
  needs: ["transactions"],
  aggregation: "count",

  measure({ name, discriminator, filter, include_cpi }, { calls }, { address, idl = noIdl }) {
    const discriminators = discriminatorsOf(idl, name, discriminator);
    return calls.flatMap((call) =>
      (call.solana?.instructions ?? [])
        .filter(({ program, depth }) => program === address && (include_cpi || depth === 1))
        .filter(
          (instruction) =>
            !isEventCall(instruction) && discriminators.some((prefix) => startsWith(instruction, prefix)),
        )
        .map((instruction) => ({ one: instruction, decoded: decodeInstruction(idl, instruction) }))
        .filter(({ decoded }) => matchesFilter(decoded, filter))
        .map(({ one: instruction, decoded }) => ({
          ...callReading(call, 1, { depth: instruction.depth, ...(decoded && { decoded }) }),
          position: instruction.position,
        })),
    );
  },
});

/** By the IDL where it knows the name, else as Anchor would mark it. */
function discriminatorsOf(idl: Idl, name: string | undefined, discriminator: string | undefined): Buffer[] {
  if (discriminator !== undefined) return [Buffer.from(discriminator.slice(2), "hex")];
  const wanted = snakeCase(name ?? "");
  const known = idl.instructions.filter((instruction) => snakeCase(instruction.name) === wanted);
  return known.length > 0
    ? known.map((instruction) => instruction.discriminator)
    : [anchorDiscriminator(wanted)];
}

const anchorDiscriminator = memoize(10_000, (name) => discriminatorOf("global", name));

function startsWith({ data }: SolanaInstruction, prefix: Buffer): boolean {
  return data.subarray(0, prefix.length).equals(prefix);
}
