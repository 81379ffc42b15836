import type { NewApiKey } from "../../../src/wire/orgs/api-keys.ts";
import { Client, type Reply } from "../../support/client.ts";
import type { Harness, Person } from "../../support/harness.ts";

/** A client that sends an API key with every request. */
export class KeyClient extends Client {
  readonly key: string;

  constructor(h: Harness, key: string) {
    super(h.server);
    this.key = key;
  }

  override request(...[method, path, body, extra = {}]: Parameters<Client["request"]>): Promise<Reply> {
    const headers = { authorization: `Bearer ${this.key}`, ...extra.headers };
    return super.request(method, path, body, { ...extra, headers });
  }
}

/** Creates a key through the API. */
export async function makeKey(owner: Person, more: object = {}): Promise<NewApiKey> {
  const reply = await owner.client.post("/api-keys", { name: "CI", ...more });
  if (reply.status !== 200) throw new Error(`the key was not made: ${reply.text}`);
  return reply.body as NewApiKey;
}

/** A client with a new key. */
export async function makeKeyClient(h: Harness, owner: Person, more: object = {}): Promise<KeyClient> {
  return new KeyClient(h, (await makeKey(owner, more)).key);
}
