import { generateKeyPairSigner, lamports } from "@solana/kit";
import { Cluster } from "../../test/solana/cluster/cluster.ts";
import { makeToken } from "../../test/solana/cluster/programs.ts";
import { deployVaultProgram } from "../../test/solana/cluster/vault-program.ts";

/** As many transactions as a search for vaults reads. */
const transactions = 25;

/** A program with a vault of one token, into which a user made many deposits and from which the program paid some back. */
export async function makeVaultContents() {
  const cluster = await Cluster.start();
  const token = await makeToken(cluster);
  const user = await generateKeyPairSigner();
  cluster.svm.airdrop(user.address, lamports(10_000_000_000n));
  const { program, authority, move } = await deployVaultProgram(cluster);
  const [own, vault] = [token.account(user.address), token.account(authority)];
  const land = async (...instructions: Parameters<Cluster["run"]>[0]) =>
    void cluster.produce([await cluster.run(instructions)]);
  await land(token.open(user.address), token.mintTo(user.address, 1_000_000n));
  await land(token.open(authority));
  for (let index = 0; index < transactions; index++)
    await land(
      index % 2 === 0
        ? move({ from: own, to: vault, owner: user, amount: 1_000n })
        : move({ from: vault, to: own, owner: authority, amount: 500n }),
    );
  return { cluster, program, mint: token.mint };
}
