const kindOffset = 165;

/** The kind of an account of Token-2022 that has extensions. */
const extendedKind = { mint: 1, account: 2 };

/** Returns the extensions of a mint or a token account as far as its bytes were read. Data that breaks off ends the list. */
export function extensionsIn(data: Buffer, kind: keyof typeof extendedKind): { id: number; value: Buffer }[] {
  const found: { id: number; value: Buffer }[] = [];
  if (data[kindOffset] !== extendedKind[kind]) return found;
  for (let at = kindOffset + 1; at + 4 <= data.length; ) {
    const [id, length] = [data.readUInt16LE(at), data.readUInt16LE(at + 2)];
    const value = data.subarray(at + 4, at + 4 + length);
    if (id === 0 || value.length < length) break;
    found.push({ id, value });
    at += 4 + length;
  }
  return found;
}
