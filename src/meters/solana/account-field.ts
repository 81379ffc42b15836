import { z } from "zod";
import { unpackAccount } from "../../chains/solana/accounts/account-state.ts";
import { parseSolanaAddress } from "../../chains/solana/accounts/address.ts";
import { type FieldPath, typeAt, valueAt } from "../../chains/solana/idl/account-field.ts";
import { decodeAccount, kindOfAccount } from "../../chains/solana/idl/decode.ts";
import { type Idl, noIdl } from "../../chains/solana/idl/idl.ts";
import { addressFamilyProblem, anyAddressText, decimalsNumber } from "../config-fields.ts";
import { movementText } from "../measured-text.ts";
import { defineMeter, type TimedReading } from "../meter.ts";
import { measureReturnValue } from "../state/return-value.ts";
import { readingOrProblem, UnreadableState } from "../state-results.ts";
import { stateText, type Words } from "../words.ts";

/** The first bytes of an account that are read: as many as a program can create at once. */
const readBytes = 10_240;

/** Measures a field of an account that an IDL describes. */
export const accountField = defineMeter({
  type: "account_field",
  title: "Field of an account",
  example: { field: "fee_bps" },
  about:
    "A field of an account of a program, decoded by the IDL of the contract: a number scaled by its decimals, a boolean as 0 or 1. For any other type the reading is 1 if the value changed, otherwise 0. The contract is the program, whose IDL is found on chain, or the account, with the IDL of its program as its abi. The first 10,240 bytes of the account are read.",
  unit: "units",
  families: ["solana"],
  instances: "many",
  config: z.strictObject({
    account: anyAddressText
      .optional()
      .describe("The address of the account; defaults to the monitored contract"),
    account_type: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe("The name of the kind of account in the IDL; by default the one that its first bytes name"),
    field: z
      .string()
      .regex(
        /^[^.\s]{1,256}(\.[^.\s]{1,256}){0,15}$/,
        "must be names and indexes with dots between them, such as reserves.0.amount",
      )
      .describe("The field, with dots between the names of nested ones, such as config.fee_bps"),
    decimals: decimalsNumber.default(0).describe("The number of decimals by which a number is scaled"),
  }),
  needs: ["state"],
  aggregation: "last",
  isSetting: true,

  configProblem({ account }, kind) {
    return addressFamilyProblem(kind, [account]);
  },

  reads({ account }, { address }) {
    return [{ kind: "account", address: account ?? address, length: readBytes }];
  },

  interpret({ account_type, field, decimals }, [result], { idl = noIdl }, { previous }) {
    return readingOrProblem(() => {
      const account = unpackAccount(result);
      if (!account)
        throw new UnreadableState(
          `The account could not be read: ${result && !result.ok ? result.problem.replace(/\.$/, "") : "there is no result"}.`,
        );
      if (account.owner === null) throw new UnreadableState("There is no account at this address.");
      return measureField(idl, account.data, { account_type, path: field.split("."), decimals, previous });
    });
  },

  describe({ field }, occasion) {
    const { reading, words } = occasion;
    const { state, previous_state, returned } = reading?.evidence ?? {};
    if (returned !== undefined || typeof state !== "string") return `${field} ${movementText(occasion)}`;
    return previous_state === undefined
      ? `${field} is ${valueText(state, words)}`
      : `${field} changed: ${valueText(previous_state, words)} → ${valueText(state, words)}`;
  },
});

type Wanted = {
  account_type: string | undefined;
  path: FieldPath;
  decimals: number;
  previous: TimedReading | undefined;
};

function measureField(idl: Idl, data: Buffer, { account_type, path, decimals, previous }: Wanted) {
  if (idl.accounts.length === 0)
    throw new UnreadableState("There is no IDL with accounts: upload that of the program as the abi.");
  const kind = kindOfAccount(idl, data, account_type);
  if (!kind)
    throw new UnreadableState(
      account_type === undefined
        ? "The account is none of those in the IDL."
        : `The account is not a ${account_type} of the IDL.`,
    );
  const type = typeAt(kind.fields, path, idl.types);
  const name = path.join(".");
  if (!type) throw new UnreadableState(`The IDL has no field ${name} of a known type in ${kind.name}.`);
  const value = valueAt(decodeAccount(idl, kind, data), path);
  if (value === undefined) throw new UnreadableState(`The data of the account ends before ${name}.`);
  const isNumber = type.kind === "integer" || type.kind === "float" || type.kind === "bool";
  if (isNumber && value === "none") throw new UnreadableState(`${name} has no value.`);
  const { evidence, ...measured } =
    type.kind === "float" ? measureFloat(value, decimals) : measureReturnValue(value, decimals, previous);
  return { ...measured, evidence: { ...evidence, account_type: kind.name, field: name } };
}

function measureFloat(value: unknown, decimals: number) {
  const returned = Number(value);
  return { value: returned / 10 ** decimals, evidence: { state: String(value), returned } };
}

function valueText(value: unknown, words: Words): string {
  return parseSolanaAddress(String(value)) ? words.address(value) : stateText(value, words);
}
