import { token2022Program, tokenProgram } from "../accounts/address.ts";

type Instruction = { program: string; accounts: string[]; data: Buffer };

/** The first byte of an instruction of a token program that holds others. */
const batchTag = 255;
/** Each begins with its number of accounts and the length of its data. */
const headerBytes = 2;

/**
 * Returns an instruction followed by those that it holds: a token program executes a batch without invoking itself, so that
 * nodes report it as one instruction. One that breaks off is returned alone, because no token program executes it.
 */
export function withBatched<One extends Instruction>(instruction: One): One[] {
  const { program, accounts, data } = instruction;
  if (data[0] !== batchTag || (program !== tokenProgram && program !== token2022Program))
    return [instruction];
  const parts: One[] = [];
  let [account, at] = [0, 1];
  while (at < data.length) {
    const accountsEnd = account + (data[at] ?? 0);
    const dataStart = at + headerBytes;
    const dataEnd = dataStart + (data[at + 1] ?? 0);
    if (dataStart > data.length || dataEnd > data.length || accountsEnd > accounts.length)
      return [instruction];
    const part = data.subarray(dataStart, dataEnd);
    parts.push({ ...instruction, accounts: accounts.slice(account, accountsEnd), data: part });
    [account, at] = [accountsEnd, dataEnd];
  }
  return [instruction, ...parts];
}
