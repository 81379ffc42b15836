const kindOffset = 165;
const mintKind = 1;

/** Returns the extensions of a mint of Token-2022 as far as its bytes were read. Data that breaks off ends the list. */
export function extensionsOfMint(data: Buffer): { id: number; value: Buffer }[] {
  const found: { id: number; value: Buffer }[] = [];
  if (data[kindOffset] !== mintKind) return found;
  for (let at = kindOffset + 1; at + 4 <= data.length; ) {
    const [id, length] = [data.readUInt16LE(at), data.readUInt16LE(at + 2)];
    const value = data.subarray(at + 4, at + 4 + length);
    if (id === 0 || value.length < length) break;
    found.push({ id, value });
    at += 4 + length;
  }
  return found;
}
