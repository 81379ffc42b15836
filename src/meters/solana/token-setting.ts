import { addressOfBytes } from "../../chains/solana/accounts/address.ts";

/** What an instruction of a token program changes. */
export type TokenChange = {
  /** What was changed, to be read before "changed". */
  what: string;
  /** The part of the polled state that it changes; undefined if polls do not read it. */
  part: StatePart | undefined;
  before: string | null;
  after: string | null;
};

/** A part of the polled state. Its name has no spaces. */
export type StatePart =
  | (
      | "mint"
      | "freeze"
      | "owner"
      | "delegate"
      | "close"
      | "fees"
      | "fee-withdrawal"
      | "mint-close"
      | "interest"
    )
  | "account"
  | ("permanent-delegate" | "hook" | "hook-program" | "scaling" | "pause")
  | ("fee-rate" | "interest-rate" | "scale" | "transfers" | "new-accounts");

/** Reads a changed setting of a Token-2022 mint or token account: an instruction of an extension has a second number. */
export function settingIn(data: Buffer): TokenChange | undefined {
  return settings.get(`${data[0]} ${data[1]}`)?.(data.subarray(2));
}

const toggle = (what: string, before: string, after: string) => (): TokenChange => ({
  ...{ what, part: undefined, before, after },
});
const pointer = (what: string, part?: StatePart) => (data: Buffer) => ({
  ...{ what, part, before: null, after: holderIn(data) },
});

/** By both numbers of the instruction. Each gets the data after them. */
const settings = new Map<string, (data: Buffer) => TokenChange | undefined>([
  ["26 5", (data) => rate("transfer fee", "fee-rate", data.length >= 2 && data.readUInt16LE())],
  ["27 1", confidentialTransfers],
  ["28 1", (data) => newAccounts(data[0])],
  ["30 0", toggle("memo of incoming transfers", "optional", "required")],
  ["30 1", toggle("memo of incoming transfers", "required", "optional")],
  ["33 1", (data) => rate("interest rate", "interest-rate", data.length >= 2 && data.readInt16LE())],
  ["34 0", toggle("CPI guard", "off", "on")],
  ["34 1", toggle("CPI guard", "on", "off")],
  ["36 1", pointer("transfer hook", "hook-program")],
  ["39 1", pointer("metadata pointer")],
  ["40 1", pointer("group pointer")],
  ["41 1", pointer("group member pointer")],
  ["43 1", scale],
  ["44 1", () => ({ what: "token", part: "transfers", before: "usable", after: "paused" })],
  ["44 2", () => ({ what: "token", part: "transfers", before: "paused", after: "usable" })],
]);

/** Rates are in basis points. */
function rate(what: string, part: StatePart, basisPoints: number | false): TokenChange | undefined {
  return basisPoints === false ? undefined : { what, part, before: null, after: `${basisPoints / 100} %` };
}

function scale(data: Buffer): TokenChange | undefined {
  if (data.length < 8) return undefined;
  return { what: "scale of amounts", part: "scale", before: null, after: String(data.readDoubleLE()) };
}

const [usable, frozen] = [1, 2];

function newAccounts(state: number | undefined): TokenChange | undefined {
  if (state !== usable && state !== frozen) return undefined;
  const after = state === frozen ? "frozen" : "usable";
  return { what: "state of new accounts", part: "new-accounts", before: null, after };
}

/** Whether every new account may transfer confidentially, and who can decrypt the amounts. */
function confidentialTransfers(data: Buffer): TokenChange | undefined {
  if (data.length < 33) return undefined;
  const approval = data[0] === 1 ? "for every account" : "for approved accounts";
  const auditor = holderIn(data.subarray(1, 33));
  const after = `${approval}, ${auditor === "none" ? "without an auditor" : `with the auditor ${auditor}`}`;
  return { what: "confidential transfers", part: undefined, before: null, after };
}

/** An address of zeros stands for none. */
function holderIn(bytes: Buffer): string {
  return bytes.length < 32 || bytes.every((byte) => byte === 0)
    ? "none"
    : addressOfBytes(bytes.subarray(0, 32));
}
