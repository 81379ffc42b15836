import { addressOfBytes, bytesOfAddress, deriveAddress } from "../accounts/address.ts";
import { discriminatorOf } from "../idl/discriminator.ts";
import type { SquadsVersion } from "./squads-version.ts";

const rentCollectorOffset = 94;
const memberBytes = 33;
const mayVote = 2;
const maxVaults = 16;

/** Multisigs of Squads v4. Their vaults are numbered from 0. */
export const squadsV4: SquadsVersion = {
  program: "SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf",
  discriminator: discriminatorOf("account", "Multisig"),
  read: readMultisig,
  changesMembers: (data) => changes.some((discriminator) => data.subarray(0, 8).equals(discriminator)),
  vaults: (multisig) => {
    const seeds = [Buffer.from("multisig"), bytesOfAddress(multisig), Buffer.from("vault")];
    return Array.from({ length: maxVaults }, (_, index) =>
      deriveAddress(squadsV4.program, [...seeds, Buffer.of(index)]),
    );
  },
};

/** The first one executes what was voted for, and the others what the config authority wants. */
const changes = [
  "config_transaction_execute",
  "multisig_add_member",
  "multisig_remove_member",
  "multisig_change_threshold",
  "multisig_set_time_lock",
  "multisig_set_config_authority",
].map((name) => discriminatorOf("global", name));

function readMultisig(data: Buffer): ReturnType<SquadsVersion["read"]> {
  if (data.length <= rentCollectorOffset) return undefined;
  const membersAt = rentCollectorOffset + (data[rentCollectorOffset] === 1 ? 33 : 1) + 1;
  if (data.length < membersAt + 4) return undefined;
  const count = data.readUInt32LE(membersAt);
  const members = data.subarray(membersAt + 4, membersAt + 4 + count * memberBytes);
  const threshold = data.readUInt16LE(72);
  if (members.length < count * memberBytes) return undefined;
  const voters = Array.from({ length: count }, (_, index) =>
    members.subarray(index * memberBytes, (index + 1) * memberBytes),
  ).flatMap((one) => ((one[32] as number) & mayVote ? [addressOfBytes(one.subarray(0, 32))] : []));
  const configAuthority = data.subarray(40, 72);
  return {
    threshold,
    voters,
    timeLockSeconds: data.readUInt32LE(74),
    configAuthority: configAuthority.every((byte) => byte === 0) ? null : addressOfBytes(configAuthority),
  };
}
