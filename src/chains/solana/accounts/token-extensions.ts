const kindOffset = 165;
const mintKind = 1;

/** Returns the extensions of a mint of Token-2022 as far as its bytes were read. Data that breaks off ends the list. */
export function extensionsOfMint(data: Buffer): { id: number; value: Buffer }[] {
  const extensions: { id: number; value: Buffer }[] = [];
  if (data[kindOffset] !== mintKind) return extensions;
  for (let index = kindOffset + 1; index + 4 <= data.length; ) {
    const [id, length] = [data.readUInt16LE(index), data.readUInt16LE(index + 2)];
    const value = data.subarray(index + 4, index + 4 + length);
    if (id === 0 || value.length < length) break;
    extensions.push({ id, value });
    index += 4 + length;
  }
  return extensions;
}
