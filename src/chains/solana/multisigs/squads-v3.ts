import { addressOfBytes, bytesOfAddress, deriveAddress } from "../accounts/address.ts";
import { discriminatorOf } from "../idl/discriminator.ts";
import type { SquadsVersion } from "./squads-version.ts";

const thresholdAt = 8;
const membersAt = 54;
const memberBytes = 32;
const maxVaults = 16;

/** Multisigs of Squads v3. All members may vote, and only a vote changes them. Their vaults are numbered from 1. */
export const squadsV3: SquadsVersion = {
  program: "SMPLecH534NA9acpos4G6x7uf3LWbCAwZQE9e8ZekMu",
  discriminator: discriminatorOf("account", "Ms"),
  read: readMultisig,
  changesMembers: (data) => changes.some((discriminator) => data.subarray(0, 8).equals(discriminator)),
  vaults: (multisig) =>
    Array.from({ length: maxVaults }, (_, index) => {
      const number = Buffer.alloc(4);
      number.writeUInt32LE(index + 1);
      const seeds = [Buffer.from("squad"), bytesOfAddress(multisig), number, Buffer.from("authority")];
      return deriveAddress(squadsV3.program, seeds);
    }),
};

/** The multisig invokes these itself when it executes what was voted for. */
const changes = [
  "add_member",
  "remove_member",
  "change_threshold",
  "add_member_and_change_threshold",
  "remove_member_and_change_threshold",
].map((name) => discriminatorOf("global", name));

function readMultisig(data: Buffer): ReturnType<SquadsVersion["read"]> {
  if (data.length < membersAt + 4) return undefined;
  const count = data.readUInt32LE(membersAt);
  const members = data.subarray(membersAt + 4, membersAt + 4 + count * memberBytes);
  if (members.length < count * memberBytes) return undefined;
  const voters = Array.from({ length: count }, (_, index) =>
    addressOfBytes(members.subarray(index * memberBytes, (index + 1) * memberBytes)),
  );
  return { threshold: data.readUInt16LE(thresholdAt), voters, timeLockSeconds: 0, configAuthority: null };
}
