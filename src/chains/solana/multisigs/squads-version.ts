/** A multisig of Squads. */
export type SquadsMultisig = {
  /** The approvals that a transaction needs. */
  threshold: number;
  /** The members that may vote; others may only propose or execute. */
  voters: string[];
  timeLockSeconds: number;
  /** Who can change the members without a vote; null if only a vote can. */
  configAuthority: string | null;
};

/** The program of a version of Squads. */
export type SquadsVersion = {
  program: string;
  /** The first bytes of its multisig accounts. */
  discriminator: Buffer;
  /** Reads the data of a multisig account; undefined if it breaks off. */
  read(data: Buffer): SquadsMultisig | undefined;
  /** Whether an instruction on a multisig may change its members, its threshold or who controls it. */
  changesMembers(data: Buffer): boolean;
  /** The first vaults of a multisig: the addresses that hold its funds and authorities. */
  vaults(multisig: string): string[];
};
