import { generateKeyPairSigner, getProgramDerivedAddress, type Instruction } from "@solana/kit";
import { bytesOfAddress } from "../../../src/chains/solana/accounts/address.ts";
import { discriminatorOf } from "../../../src/chains/solana/idl/discriminator.ts";
import { type Cluster, readonly } from "./cluster.ts";
import { emitterCode, eventTag, kinds } from "./emitter-code.ts";

const fields = [
  { name: "from", type: "pubkey" },
  { name: "amount", type: "u64" },
];
const args = [{ name: "mark", type: { array: ["u8", 8] } }, ...fields];

/** An IDL in the format of Anchor 0.30, with one-byte discriminators, which Anchor 0.31 allows. */
export const emitterIdl = {
  metadata: { name: "emitter", version: "0.1.0", spec: "0.1.0" },
  instructions: [
    { name: "log", discriminator: [kinds.log], accounts: [], args },
    { name: "log_and_fail", discriminator: [kinds.log_and_fail], accounts: [], args },
    {
      name: "call_self",
      discriminator: [kinds.call_self],
      accounts: [{ name: "event_authority" }, { name: "program" }],
      args: [],
    },
    {
      name: "call_other",
      discriminator: [kinds.call_other],
      accounts: [],
      args: [{ name: "other", type: "pubkey" }],
    },
  ],
  events: [{ name: "Moved", discriminator: [...discriminatorOf("event", "Moved")] }],
  types: [{ name: "Moved", type: { kind: "struct", fields } }],
};

/** The event as serialised by a program. */
export function moved(from: string, amount: bigint): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigUInt64LE(amount);
  return Buffer.concat([discriminatorOf("event", "Moved"), bytesOfAddress(from), number]);
}

/** Deploys a program that emits the given events. */
export async function deployEmitter(cluster: Cluster) {
  const { address: program } = await generateKeyPairSigner();
  const [authority, bump] = await getProgramDerivedAddress({
    programAddress: program,
    seeds: ["__event_authority"],
  });
  cluster.svm.addProgram(program, emitterCode(bump));
  const instruction = (
    kind: keyof typeof kinds,
    rest: Uint8Array[],
    accounts: string[] = [],
  ): Instruction => ({
    programAddress: program,
    accounts: accounts.map(readonly),
    data: Buffer.concat([Buffer.of(kinds[kind]), ...rest]),
  });
  return {
    program: program as string,
    log: (event: Buffer) => instruction("log", [event]),
    logAndFail: (event: Buffer) => instruction("log_and_fail", [event]),
    callSelf: (event: Buffer) => instruction("call_self", [eventTag, event], [authority, program]),
    /** The accounts of the inner call come first, because the first account is passed on. */
    callOther: ({ programAddress, data = Buffer.of(), accounts = [] }: Instruction) =>
      instruction(
        "call_other",
        [bytesOfAddress(programAddress), Buffer.from(data)],
        [...accounts.map(({ address }) => address), programAddress],
      ),
  };
}
