import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { listAudiences } from "../../src/store/analytics/stream.ts";
import { canSee, isVisible, listVisibleIds, type Viewer } from "../../src/store/viewer.ts";
import { addContract, grant } from "../api/contracts/contract-steps.ts";
import { join, teamAdmin } from "../api/steps.ts";
import { harness } from "../support/harness.ts";

const h = await harness();
const admin = await teamAdmin(h);
const grantee = await join(h, admin, "member");
const other = await join(h, admin, "member");
const stranger = await teamAdmin(h);

const open = await addContract(admin);
const restricted = await addContract(admin);
const foreign = await addContract(stranger);
const contracts = [open.id, restricted.id, foreign.id];

beforeAll(() => grant(admin, restricted.id, grantee));

const orgs = [admin.org_id, stranger.org_id];
const users = [null, grantee.user.id, other.user.id, stranger.user.id];
const contractScopes = [null, [], [open.id], [restricted.id], contracts];
const chainScopes = [null, [], [31337], [1], [1, 31337]];

const viewers: Viewer[] = orgs.flatMap((org_id) =>
  users.flatMap((user_id) =>
    contractScopes.flatMap((contract_scope) =>
      chainScopes.map((chain_scope) => ({ org_id, user_id, contract_scope, chain_scope })),
    ),
  ),
);

describe("canSee", () => {
  it("agrees with the SQL predicate isVisible on every combination of viewer and contract", async () => {
    const audiences = await listAudiences(h.app.db, contracts);
    expect(audiences.size).toBe(contracts.length);
    for (const viewer of viewers) {
      const expected = await listVisibleIds(h.app.db, viewer, contracts);
      const actual = contracts.filter((id) => {
        const audience = audiences.get(id);
        return audience !== undefined && canSee(viewer, audience);
      });
      expect({ viewer, visible: actual.sort() }).toEqual({ viewer, visible: expected.sort() });
    }
  });

  it("is compared on viewers who see all, some and none of the contracts", async () => {
    const { rows } = await sql<{ visible: number }>`
      select count(*)::int as visible from contracts c
      where ${isVisible({ org_id: admin.org_id, user_id: other.user.id, contract_scope: null, chain_scope: null }, sql`c`)}`.execute(
      h.app.db,
    );
    expect(rows).toEqual([{ visible: 1 }]);
  });
});
