import { type Address, generateKeyPairSigner, getBase58Decoder, lamports } from "@solana/kit";
import { bytesOfAddress } from "../../../src/chains/solana/accounts/address.ts";
import { loaderV4 } from "../../../src/chains/solana/accounts/program-account.ts";
import type { Cluster, ExecutedTransaction } from "./cluster.ts";
import { memo } from "./programs.ts";

const base58 = getBase58Decoder();
const [deploy, retract, transferAuthority, finalize] = [3, 4, 5, 6];
const [isRetracted, isDeployed, isFinal] = [0n, 1n, 2n];

/** A program of the loader v4, which LiteSVM does not have: its account is written, and its transactions are made up. */
export async function makeProgramV4(cluster: Cluster) {
  const { address: program } = await generateKeyPairSigner();
  const owner = cluster.payer.address as string;
  const state = { slot: BigInt(cluster.head), authority: owner, status: isDeployed };
  const write = () => {
    const data = Buffer.alloc(100);
    data.writeBigUInt64LE(state.slot);
    bytesOfAddress(state.authority).copy(data, 8);
    data.writeBigUInt64LE(state.status, 40);
    cluster.svm.setAccount({
      ...{ address: program, data, executable: false, space: 100n },
      ...{ lamports: lamports(10_000_000n), programAddress: loaderV4 as Address },
    });
  };
  write();
  const run = async (number: number, change: Partial<typeof state>, more: string[] = []) => {
    const carrier = await cluster.run([memo(`loader ${number} ${cluster.head}`)]);
    const { authority } = state;
    Object.assign(state, change);
    write();
    return loaderTransaction(carrier, [owner, program, loaderV4, authority, ...more], number);
  };
  return {
    program: program as string,
    deploy: () => run(deploy, { slot: BigInt(cluster.head + 1), status: isDeployed }),
    retract: () => run(retract, { status: isRetracted }),
    transfer: (to: string) => run(transferAuthority, { authority: to }, [to]),
    finalize: () => run(finalize, { status: isFinal }),
  };
}

function loaderTransaction(
  carrier: ExecutedTransaction,
  accounts: string[],
  number: number,
): ExecutedTransaction {
  const data = Buffer.alloc(4);
  data.writeUInt32LE(number);
  const others = accounts.slice(3).map((_, at) => at + 3);
  const instructions = [{ programIdIndex: 2, accounts: [1, ...others], data: base58.decode(data) }];
  const transaction = { ...carrier.transaction, message: { accountKeys: accounts, instructions } };
  const balances = accounts.map(() => 1);
  const meta = { ...carrier.meta, preBalances: balances, postBalances: balances, innerInstructions: [] };
  return { ...carrier, accounts, transaction, meta };
}
