import { describe, expect, it } from "vitest";
import { addressOfBytes, bytesOfAddress, deriveAddress } from "../accounts/address.ts";
import { discriminatorOf } from "../idl/discriminator.ts";
import { squadsMultisigOf, squadsVersionOf } from "./squads-multisig.ts";
import { squadsV3 } from "./squads-v3.ts";
import { squadsV4 } from "./squads-v4.ts";

const squadsProgram = squadsV4.program;

const key = (fill: number) => Buffer.alloc(32, fill);
const addressOf = (fill: number) => addressOfBytes(key(fill));

/** A multisig account in the layout of Squads v4, with the permissions of each member. */
function multisig({
  threshold = 2,
  permissions = [7, 7, 7],
  rentCollector = false,
  configAuthority = 0,
} = {}) {
  const [limits, count] = [Buffer.alloc(22), Buffer.alloc(4)];
  limits.writeUInt16LE(threshold);
  limits.writeUInt32LE(3600, 2);
  count.writeUInt32LE(permissions.length);
  const data = Buffer.concat([
    ...[discriminatorOf("account", "Multisig"), key(9), key(configAuthority), limits],
    ...[rentCollector ? Buffer.concat([Buffer.of(1), key(8)]) : Buffer.of(0), Buffer.of(255), count],
    ...permissions.map((mask, index) => Buffer.concat([key(index + 1), Buffer.of(mask)])),
    // Room of a removed member.
    Buffer.alloc(33),
  ]);
  return { owner: squadsProgram as string | null, isExecutable: false, lamports: 1n, data };
}

describe("a multisig of Squads", () => {
  it("has the threshold, the members that may vote, the time lock and who can change it alone", () => {
    expect(squadsMultisigOf(multisig())).toEqual({
      threshold: 2,
      voters: [addressOf(1), addressOf(2), addressOf(3)],
      timeLockSeconds: 3600,
      configAuthority: null,
    });
    const other = multisig({ threshold: 1, permissions: [1, 2, 4], rentCollector: true, configAuthority: 5 });
    expect(squadsMultisigOf(other)).toMatchObject({ voters: [addressOf(2)], configAuthority: addressOf(5) });
  });

  it("is not read from an account of another program or kind, nor with an impossible threshold", () => {
    expect(squadsMultisigOf({ ...multisig(), owner: addressOf(1) })).toBeUndefined();
    expect(squadsMultisigOf({ ...multisig(), data: Buffer.alloc(300) })).toBeUndefined();
    expect(squadsMultisigOf(multisig({ threshold: 0 }))).toBeUndefined();
    expect(squadsMultisigOf(multisig({ threshold: 4 }))).toBeUndefined();
    expect(squadsMultisigOf(undefined)).toBeUndefined();
  });

  it("is undefined for data that breaks off anywhere before the end of its members", () => {
    const whole = multisig();
    for (let length = 0; length < whole.data.length - 33; length++)
      expect(squadsMultisigOf({ ...whole, data: whole.data.subarray(0, length) })).toBeUndefined();
    const endless = multisig();
    endless.data.writeUInt32LE(0xffff_ffff, 96);
    expect(squadsMultisigOf(endless)).toBeUndefined();
  });

  it("is recognised by its vaults", () => {
    const seeds = [Buffer.from("multisig"), bytesOfAddress(addressOf(7)), Buffer.from("vault"), Buffer.of(1)];
    expect(squadsV4.vaults(addressOf(7))).toContain(deriveAddress(squadsProgram, seeds));
    expect(squadsV4.vaults(addressOf(6))).not.toContain(deriveAddress(squadsProgram, seeds));
  });

  it("of version 3 has the threshold and the members, who all may vote", () => {
    const head = Buffer.alloc(46);
    head.writeUInt16LE(2);
    const data = Buffer.concat([squadsV3.discriminator, head, Buffer.of(2, 0, 0, 0), key(1), key(2)]);
    const account = { ...multisig(), owner: squadsV3.program, data };
    expect(squadsV3.discriminator.toString("hex")).toBe("4676096cfed71f78");
    expect(squadsMultisigOf(account)).toEqual({
      ...{ threshold: 2, voters: [addressOf(1), addressOf(2)], timeLockSeconds: 0, configAuthority: null },
    });
    for (let length = 0; length < data.length; length++)
      expect(squadsMultisigOf({ ...account, data: data.subarray(0, length) })).toBeUndefined();
    expect(squadsVersionOf({ ...account, owner: squadsProgram })).toBeUndefined();
  });
});
