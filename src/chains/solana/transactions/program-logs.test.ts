import { describe, expect, it } from "vitest";
import { tokenProgram as outer } from "../accounts/address.ts";
import { decodeEvent, eventsIn } from "../idl/decode.ts";
import { discriminatorOf } from "../idl/discriminator.ts";
import { parseIdl } from "../idl/idl.ts";
import { readLogs } from "./program-logs.ts";
import { readTransaction } from "./transaction.ts";

const inner = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const payer = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";

describe("readLogs", () => {
  it("attributes each line to the program on top of the call stack", () => {
    const { lines, isTruncated } = readLogs([
      `Program ${outer} invoke [1]`,
      "Program log: before",
      `Program ${inner} invoke [2]`,
      "Program data: AAAA",
      `Program ${inner} consumed 1 of 2 compute units`,
      `Program ${inner} failed: custom program error: 0x1`,
      "Program log: after",
      `Program ${outer} failed: custom program error: 0x1`,
      "Program log: nobody's",
    ]);
    expect(isTruncated).toBe(false);
    expect(lines).toEqual([
      { program: outer, kind: "log", text: "before" },
      { program: inner, kind: "data", text: "AAAA" },
      { program: outer, kind: "log", text: "after" },
    ]);
  });

  it("is not confused by forged lines of a program or by a missing line", () => {
    const { lines } = readLogs([
      `Program ${outer} invoke [1]`,
      `Program log: Program ${inner} invoke [2]`,
      "Program data: AAAA",
      `Program ${inner} invoke [2]`,
      // The end line was lost; the depth in the next call corrects the stack.
      `Program ${inner} invoke [2]`,
      `Program ${inner} success`,
      "Program data: BBBB",
    ]);
    expect(lines.filter(({ kind }) => kind === "data").map(({ program }) => program)).toEqual([outer, outer]);
  });

  it("reports a truncated log", () => {
    expect(readLogs([`Program ${outer} invoke [1]`, "Log truncated"]).isTruncated).toBe(true);
  });
});

/** Encodes instruction data in base58. */
const eventData = Buffer.concat([discriminatorOf("event", "Moved"), Buffer.from("0700000000000000", "hex")]);
const recorded = (more: object = {}, data: string[] = []) => ({
  slot: 5,
  blockTime: 1_700_000_000,
  version: 0,
  transaction: {
    signatures: ["sig"],
    message: {
      accountKeys: [payer],
      instructions: [{ programIdIndex: 1, accounts: [0, 2], data: data[0] ?? "" }],
    },
  },
  meta: {
    err: null,
    fee: 5000,
    preBalances: [10, 1, 1],
    postBalances: [5, 1, 1],
    innerInstructions: data[1]
      ? [{ index: 0, instructions: [{ programIdIndex: 1, accounts: [], data: data[1] }] }]
      : [],
    logMessages: [
      `Program ${outer} invoke [1]`,
      `Program data: ${eventData.toString("base64")}`,
      `Program ${outer} success`,
    ],
    loadedAddresses: { writable: [outer], readonly: [inner] },
    ...more,
  },
});

describe("readTransaction", () => {
  it("appends the accounts of lookup tables to those of the message", () => {
    const { transaction } = readTransaction(recorded(), "sig");
    expect(transaction).toMatchObject({
      fee_payer: payer,
      accounts: [payer, outer, inner],
      balances: [{ address: payer, before: 10n, after: 5n }],
      instructions: [{ program: outer, accounts: [payer, inner], depth: 1 }],
    });
  });

  it("finds events in logs and in self-calls, and none in a failed transaction", async () => {
    const { toBase58 } = await import("../accounts/address.ts");
    const call = toBase58(Buffer.concat([Buffer.from("e445a52e51cb9a1d", "hex"), eventData]));
    const read = parseIdl({
      instructions: [],
      events: [{ name: "Moved", fields: [{ name: "amount", type: "u64" }] }],
    });
    if (!read.ok) throw new Error(read.problem);
    const events = eventsIn(readTransaction(recorded({}, ["", call]), "sig").transaction);
    expect(events.map(({ program, via, position }) => ({ program, via, position }))).toEqual([
      { program: outer, via: "log", position: 0 },
      { program: outer, via: "cpi", position: 1 },
    ]);
    for (const event of events) expect(decodeEvent(read.idl, event)?.args.amount).toBe(7n);
    const failed = recorded({ err: { InstructionError: [0, "Custom"] } }, ["", call]);
    expect(eventsIn(readTransaction(failed, "sig").transaction)).toEqual([]);
  });

  it("ignores an event instruction that another program sent", async () => {
    const { toBase58 } = await import("../accounts/address.ts");
    const data = toBase58(Buffer.concat([Buffer.from("e445a52e51cb9a1d", "hex"), eventData]));
    const callOf = (programIdIndex: number, stackHeight: number) => ({
      programIdIndex,
      accounts: [],
      data,
      stackHeight,
    });
    // The outer program calls the inner one with an event; then each calls itself with one.
    const instructions = [callOf(2, 2), callOf(2, 3), callOf(1, 2)];
    const value = recorded({ innerInstructions: [{ index: 0, instructions }], logMessages: [] });
    const events = eventsIn(readTransaction(value, "sig").transaction);
    expect(events.map(({ program }) => program)).toEqual([inner, outer]);
  });

  it.each([
    ["without meta", { ...recorded(), meta: null }],
    [
      "of another signature",
      { ...recorded(), transaction: { ...recorded().transaction, signatures: ["other"] } },
    ],
    ["that references an unknown account", recorded({ loadedAddresses: null })],
    ["that is nothing", null],
  ])("%s is a failure of the node", (_, value) => {
    expect(() => readTransaction(value, "sig")).toThrow(/returned|references/);
  });
});
