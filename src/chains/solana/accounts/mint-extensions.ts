import type { AccountState } from "./account-state.ts";
import { addressOfBytes, token2022Program } from "./address.ts";
import { extensionsOfMint } from "./token-extensions.ts";

/** The first bytes of a mint that are read for its extensions; texts such as a name are usually the last of them. */
export const mintBytesWithExtensions = 1_024;

/** What the extensions of a Token-2022 mint allow, and who may change it; absent without the extension, null for nobody. */
export type MintExtensions = {
  /** May move and burn the tokens of everyone. */
  permanentDelegate?: string | null;
  transferFee?: { authority: string | null; withdrawAuthority: string | null; basisPoints: number };
  closeAuthority?: string | null;
  /** The rate is in basis points. */
  interest?: { authority: string | null; rate: number };
  /** What new token accounts are, until the freeze authority thaws them. */
  newAccounts?: "usable" | "frozen";
  /** True if tokens are minted and burnt confidentially, so that the supply in the mint is not all of it. */
  hasHiddenSupply?: true;
  /** The program runs at every transfer and can reject it. */
  transferHook?: { authority: string | null; program: string | null };
  /** The factor is the newest one, which may apply only later. */
  scaledAmount?: { authority: string | null; factor: number };
  pause?: { authority: string | null; isPaused: boolean };
  /** The numbers of extensions that came after this version. */
  unknown?: number[];
};

/** The newest extension of Token-2022 that is known; those without a reader give nobody a power. */
const newestExtension = 28;

const frozen = 2;

/** Reads the extensions of a mint as far as its bytes were read. Data that breaks off or is invalid ends the list. */
export function mintExtensionsOf(account: AccountState | undefined): MintExtensions {
  if (account?.owner !== token2022Program) return {};
  const extensions: MintExtensions = {};
  for (const { id, value } of extensionsOfMint(account.data)) {
    if (id > newestExtension) extensions.unknown = [...(extensions.unknown ?? []), id];
    const read = readers.get(id);
    if (read && value.length >= read.bytes) Object.assign(extensions, read.from(value));
  }
  return extensions;
}

/** The share of each transfer that the mint withholds now. Of the two fees, the newer one counts from its epoch on. */
const readers = new Map<number, { bytes: number; from(value: Buffer): MintExtensions }>([
  [
    1,
    {
      bytes: 108,
      from: (value) => ({
        transferFee: {
          authority: holderAt(value, 0),
          withdrawAuthority: holderAt(value, 32),
          basisPoints: value.readUInt16LE(106),
        },
      }),
    },
  ],
  [3, { bytes: 32, from: (value) => ({ closeAuthority: holderAt(value, 0) }) }],
  [6, { bytes: 1, from: (value) => ({ newAccounts: value[0] === frozen ? "frozen" : "usable" }) }],
  [
    10,
    {
      bytes: 52,
      from: (value) => ({ interest: { authority: holderAt(value, 0), rate: value.readInt16LE(50) } }),
    },
  ],
  [12, { bytes: 32, from: (value) => ({ permanentDelegate: holderAt(value, 0) }) }],
  [
    14,
    {
      bytes: 64,
      from: (value) => ({ transferHook: { authority: holderAt(value, 0), program: holderAt(value, 32) } }),
    },
  ],
  [24, { bytes: 0, from: () => ({ hasHiddenSupply: true }) }],
  [
    25,
    {
      bytes: 56,
      from: (value) => ({ scaledAmount: { authority: holderAt(value, 0), factor: value.readDoubleLE(48) } }),
    },
  ],
  [
    26,
    { bytes: 33, from: (value) => ({ pause: { authority: holderAt(value, 0), isPaused: value[32] === 1 } }) },
  ],
]);

/** An address of zeros stands for none. */
function holderAt(value: Buffer, offset: number): string | null {
  const bytes = value.subarray(offset, offset + 32);
  return bytes.every((byte) => byte === 0) ? null : addressOfBytes(bytes);
}

/** True if the amounts that are shown to people are not the stored ones: they grow with a factor or with interest. */
export function isScaled({ scaledAmount, interest }: MintExtensions): boolean {
  return scaledAmount !== undefined || interest !== undefined;
}
