import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { loadConfig } from "../config.ts";
import { createStaff } from "../domain/accounts/staff.ts";
import { systemCaller } from "../domain/caller.ts";
import { systemRandom } from "../lib/random.ts";
import { makeToken } from "../lib/secrets/tokens.ts";
import { withApp } from "../main.ts";
import { Email } from "../wire/primitives.ts";
import { UsageError } from "./command.ts";

/** Creates a staff account. Without `--password-stdin` the password is generated and printed once. */
export async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { name: { type: "string" }, "password-stdin": { type: "boolean" } },
  });
  const [verb, address, ...rest] = positionals;
  const email = Email.safeParse(address);
  if (verb !== "create" || rest.length > 0)
    throw new UsageError("expected `staff create` and an e-mail address.");
  if (!email.success) throw new UsageError(`${address ?? "nothing"} is not an e-mail address.`);
  const password = values["password-stdin"] ? (await text(process.stdin)).trimEnd() : makeToken(systemRandom);
  const name = values.name ?? email.data.slice(0, email.data.indexOf("@"));
  const made = await withApp(loadConfig(), (app) =>
    createStaff(app, systemCaller, { email: email.data, name, password }),
  );
  console.log(`Staff account ${made.email} created.`);
  if (!values["password-stdin"]) console.log(`Password (shown only once): ${password}`);
}
