import fc from "fast-check";
import { expect, test } from "vitest";
import { token2022Program, tokenProgram } from "../accounts/address.ts";
import { withBatched } from "./batched-instructions.ts";

type Part = { accounts: string[]; data: Buffer };

const header = ({ accounts, data }: Part) => Buffer.of(accounts.length, data.length);

function batchOf(parts: Part[], program: string = tokenProgram) {
  const data = Buffer.concat([Buffer.of(255), ...parts.flatMap((part) => [header(part), part.data])]);
  return { program, accounts: parts.flatMap(({ accounts }) => accounts), data };
}

const anyPart = fc.record({
  accounts: fc.array(fc.string(), { maxLength: 5 }),
  data: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
});

test("a batch of a token program is followed by the instructions that it holds", () => {
  fc.assert(
    fc.property(
      fc.array(anyPart, { maxLength: 8 }),
      fc.constantFrom(tokenProgram, token2022Program),
      (parts, program) => {
        const batch = batchOf(parts, program);
        expect(withBatched(batch)).toEqual([batch, ...parts.map((part) => ({ ...part, program }))]);
      },
    ),
  );
});

test("a batch that breaks off, lacks accounts or belongs to another program stays as it is", () => {
  const whole = batchOf([{ accounts: ["account", "delegate"], data: Buffer.of(4, 1, 2) }]);
  const others = [
    ...[2, 3, 4, 5].map((length) => ({ ...whole, data: whole.data.subarray(0, length) })),
    { ...whole, accounts: ["account"] },
    { ...whole, program: "11111111111111111111111111111111" },
    { ...whole, data: whole.data.subarray(3) },
  ];
  for (const other of others) expect(withBatched(other)).toEqual([other]);
});
