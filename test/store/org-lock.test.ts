import { sql } from "kysely";
import { expect, test } from "vitest";
import { toErrorReply } from "../../src/http/reply/failures.ts";
import { lockOrg } from "../../src/store/orgs/orgs.ts";
import { harness } from "../support/harness.ts";

test("a change that waits too long for another one of its organisation is answered with advice to try again, and is no failure of the service", async () => {
  const h = await harness();
  const { org_id } = await h.person();
  const second = h.app.db.transaction().execute(async (first) => {
    await lockOrg(first, org_id);
    return h.app.db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 20`.execute(tx);
      await lockOrg(tx, org_id);
    });
  });
  const error = await second.catch((reason: unknown) => reason);
  expect(toErrorReply(error)).toMatchObject({
    status: 429,
    body: { code: "org_busy" },
    retryAfterSeconds: 2,
  });
});
