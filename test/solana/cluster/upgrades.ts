import {
  type Address,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
  lamports,
} from "@solana/kit";
import { bytesOfAddress, tokenProgram } from "../../../src/chains/solana/accounts/address.ts";
import { programDataOf, upgradeableLoader } from "../../../src/chains/solana/accounts/program-account.ts";
import { type Cluster, readonly, signing, writable } from "./cluster.ts";

const rent = "SysvarRent111111111111111111111111111111111";
const systemProgram = "11111111111111111111111111111111";
const clock = "SysvarC1ock11111111111111111111111111111111";

/** Deploys a copy of the token program that the cluster's payer can upgrade with the loader's instructions. */
export async function deployProgram(cluster: Cluster) {
  const { svm, payer } = cluster;
  const elf = dataOf(cluster, programDataOf(tokenProgram)).subarray(45);
  const { address: program } = await generateKeyPairSigner();
  svm.addProgramWithLoader(program, elf, upgradeableLoader as Address);
  const programData = programDataOf(program);
  const data = dataOf(cluster, programData);
  data[12] = 1;
  bytesOfAddress(payer.address).copy(data, 13);
  put(cluster, programData, data);
  const { address: buffer } = await generateKeyPairSigner();
  put(cluster, buffer, Buffer.concat([Buffer.of(1, 0, 0, 0, 1), bytesOfAddress(payer.address), elf]));
  return {
    program: program as string,
    programData,
    upgrade: () =>
      loader(3, [
        writable(programData),
        writable(program),
        writable(buffer),
        writable(payer.address),
        readonly(rent),
        readonly(clock),
        signing(payer),
      ]),
    /** Makes room for 10,240 bytes more, the least that the loader allows, which everyone may do. */
    extend: (by: KeyPairSigner) =>
      loader(
        6,
        [writable(programData), writable(program), readonly(systemProgram), signing(by)],
        Buffer.of(0, 0x28, 0, 0),
      ),
    setAuthority: (authority: { address: string }, by: KeyPairSigner = payer) =>
      loader(4, [writable(programData), signing(by), readonly(authority.address)]),
    /** Gives the upgrade authority to a key that signs too. */
    setAuthorityChecked: (authority: KeyPairSigner) =>
      loader(7, [writable(programData), signing(payer), signing(authority)]),
    close: () =>
      loader(5, [writable(programData), writable(payer.address), signing(payer), writable(program)]),
    /** Takes the upgrade authority away, so that nobody can upgrade the program. */
    finalize: () => loader(4, [writable(programData), signing(payer)]),
  };
}

/** The first deployment of a program at an address that has no account yet. */
export async function makeDeployment(cluster: Cluster) {
  const { svm, payer } = cluster;
  const program = await generateKeyPairSigner();
  const elf = dataOf(cluster, programDataOf(tokenProgram)).subarray(45);
  const { address: buffer } = await generateKeyPairSigner();
  put(cluster, buffer, Buffer.concat([Buffer.of(1, 0, 0, 0, 1), bytesOfAddress(payer.address), elf]));
  const create = Buffer.alloc(52);
  create.writeBigUInt64LE(svm.minimumBalanceForRentExemption(36n), 4);
  create.writeBigUInt64LE(36n, 12);
  bytesOfAddress(upgradeableLoader).copy(create, 20);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(elf.length));
  const deploy = loader(
    2,
    [
      ...[signing(payer), writable(programDataOf(program.address)), writable(program.address)],
      ...[writable(buffer), readonly(rent), readonly(clock), readonly(systemProgram), signing(payer)],
    ],
    length,
  );
  const account = { accounts: [signing(payer), signing(program)], data: create };
  return {
    program: program.address as string,
    deploy: [{ programAddress: systemProgram as Address, ...account }, deploy],
  };
}

function loader(
  number: number,
  accounts: Instruction["accounts"],
  rest: Buffer = Buffer.alloc(0),
): Instruction {
  const tag = Buffer.alloc(4);
  tag.writeUInt32LE(number);
  const data = Buffer.concat([tag, rest]);
  return { programAddress: upgradeableLoader as Address, accounts: accounts ?? [], data };
}

/** An account that the loader owns and that holds nothing. */
export async function emptyLoaderAccount(cluster: Cluster): Promise<string> {
  const { address } = await generateKeyPairSigner();
  put(cluster, address, Buffer.alloc(0));
  return address;
}

function dataOf({ svm }: Cluster, address: string): Buffer {
  const account = svm.getAccount(address as Address);
  if (!account.exists) throw new Error(`${address} is not there`);
  return Buffer.from(account.data);
}

function put({ svm }: Cluster, address: string, data: Buffer): void {
  svm.setAccount({
    address: address as Address,
    data,
    executable: false,
    lamports: lamports(10_000_000_000n),
    programAddress: upgradeableLoader as Address,
    space: BigInt(data.length),
  });
}
