import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { OperatorError } from "../operator-error.ts";
import { loadSecretsKey } from "./secrets-key.ts";

const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 8));

async function newFile(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), "secrets-key-")), "data", "secrets.key");
}

test.each(["base64", "base64url", "hex"] as const)(
  "a key in the environment can be written as %s",
  async (form) => {
    const file = await newFile();
    await expect(loadSecretsKey({ fromEnvironment: ` ${key.toString(form)}\n`, file })).resolves.toEqual(key);
    await expect(stat(file)).rejects.toThrow("ENOENT");
  },
);

test("the first run creates a key file that only its owner can read, and later runs use it", async () => {
  const file = await newFile();
  const made = await loadSecretsKey({ file });
  expect(made).toHaveLength(32);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await loadSecretsKey({ file, fromEnvironment: "" })).toEqual(made);
  expect(await loadSecretsKey({ file, fromEnvironment: key.toString("hex") })).toEqual(key);
  expect(await readdir(join(file, ".."))).toEqual(["secrets.key"]);
});

test.each(["short", "z".repeat(64), key.toString("hex").slice(1), `${key.toString("base64")}AAAA`])(
  "the key %j is rejected with the name of the setting and without the value",
  async (text) => {
    const file = await newFile();
    const failure = await loadSecretsKey({ fromEnvironment: text, file }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OperatorError);
    expect(String(failure)).toContain("SECRETS_KEY");
    expect(String(failure)).not.toContain(text);
  },
);

test("a damaged key file is rejected and left unchanged", async () => {
  const file = await newFile();
  await mkdir(join(file, ".."));
  await writeFile(file, "");
  await expect(loadSecretsKey({ file })).rejects.toThrow(OperatorError);
  expect(await readFile(file, "utf8")).toBe("");
});

test("an unreadable key file throws an operator error", async () => {
  const file = await newFile();
  await writeFile(join(file, "..", "..", "plain"), "");
  await expect(loadSecretsKey({ file: join(file, "..", "..") })).rejects.toThrow("SECRETS_KEY is not set");
  await expect(loadSecretsKey({ file: join(file, "..", "..", "plain", "key") })).rejects.toThrow(
    OperatorError,
  );
});

test("concurrent first runs end with one key", async () => {
  const file = await newFile();
  const module = JSON.stringify(new URL("./secrets-key.ts", import.meta.url).href);
  const script = `const { loadSecretsKey } = await import(${module});
    console.log((await loadSecretsKey({ file: ${JSON.stringify(file)} })).toString("hex"));`;
  const other = () => promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  const here = () => loadSecretsKey({ file }).then((made) => ({ stdout: `${made.toString("hex")}\n` }));
  const keys = await Promise.all([other(), other(), ...Array.from({ length: 20 }, here)]);
  expect(new Set(keys.map(({ stdout }) => stdout)).size).toBe(1);
}, 30_000);
