import { sealConfig } from "../../src/delivery/channel-config.ts";
import { kindOf } from "../../src/domain/channels/channels.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { openKeyRing } from "../../src/store/secrets/key-ring.ts";
import { freshId } from "../api/contracts/contract-steps.ts";
import { databaseUrl, type TestDatabase } from "../support/database.ts";
import { harness } from "../support/harness.ts";

export const [oldKey, newKey] = [Buffer.alloc(32, 5), Buffer.alloc(32, 6)] as const;

/** A service whose org has many channels that are sealed with the old key. */
export async function withChannels(count: number) {
  const h = await harness();
  const db = h.app.db;
  h.app.vault = await openKeyRing(db, oldKey, systemRandom, h.clock.now());
  const owner = await h.person();
  const now = h.clock.now();
  const times = { last_success_at: null, last_error: null, created_at: now, updated_at: now };
  const rows = Array.from({ length: count }, (_, index) => {
    const id = freshId();
    const config = { webhook_url: `https://hooks.slack.com/services/T0/B0/${index}` };
    const sealed = sealConfig(h.app, kindOf("slack"), id, config);
    return { id, org_id: owner.org_id, type: "slack", name: String(index), ...sealed, ...times };
  });
  await db.insertInto("channels").values(rows).execute();
  const env = {
    DATA_DIR: h.folder,
    DATABASE_URL: databaseUrl(h.address as TestDatabase),
    SECRETS_KEY: oldKey.toString("base64"),
  };
  return { h, env };
}
