import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { OperatorError } from "../operator-error.ts";

/** Loads the encryption key for secrets from the environment, or from a file that the first run creates. */
export async function loadSecretsKey(from: {
  /** 32 bytes as base64 or hex. */
  fromEnvironment?: string | undefined;
  file: string;
  /** False if the database has secrets already: a new key could not open them. */
  mayCreate?: boolean;
}): Promise<Buffer> {
  if (from.fromEnvironment) return parseKey(from.fromEnvironment, "SECRETS_KEY");
  const stored = await readIfThere(from.file);
  if (stored === undefined && from.mayCreate === false) {
    throw new OperatorError(
      `SECRETS_KEY is not set, and there is no file ${from.file}, but the database has secrets that were sealed with a key. ` +
        "Set SECRETS_KEY to that key.",
    );
  }
  const text = stored ?? (await createOrRead(from.file));
  return parseKey(text, `SECRETS_KEY is not set, and the file ${from.file}`);
}

/** Replaces the key file atomically. */
export async function replaceKeyFile(file: string, key: Buffer): Promise<void> {
  const draft = `${file}.${randomBytes(8).toString("hex")}.tmp`;
  await writeFile(draft, `${key.toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  await rename(draft, file);
}

/** Parses a key of 32 bytes in base64 or hex. */
export function parseKey(text: string, where: string): Buffer {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, "hex");
  if (/^[\w+/-]{43}=?$/.test(trimmed)) return Buffer.from(trimmed, "base64");
  throw new OperatorError(`${where} must hold 32 bytes, as 44 characters of base64 or 64 of hex.`);
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new OperatorError(`SECRETS_KEY is not set, and the file ${file} cannot be read.`, { cause: error });
  }
}

// A hard link is created atomically and never replaces a file: of two processes one wins, and both read its key.
async function createOrRead(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${randomBytes(32).toString("base64")}\n`, {
      mode: 0o600,
      flag: "wx",
      flush: true,
    });
    await link(draft, file).catch(ignoreExisting);
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new OperatorError(`SECRETS_KEY is not set, and the file ${file} cannot be made.`, { cause });
  } finally {
    await rm(draft, { force: true });
  }
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== "EEXIST") throw error;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
