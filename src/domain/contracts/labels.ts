import { type App, newId } from "../../app.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import {
  deleteLabels,
  insertLabels,
  type LabelRow,
  listLabels as listRows,
} from "../../store/contracts/labels.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import type { Label, LabelCreate } from "../../wire/contracts/contracts.ts";
import type { OrgCaller } from "../caller.ts";
import { inTransaction, type OpenTransaction } from "../transaction.ts";

const maxLabels = 20;

export async function listLabels(app: App, caller: OrgCaller, contract_id: string): Promise<Label[]> {
  const rows = await listRows(app.db, caller.org_id, contract_id);
  return rows.map(toLabel);
}

export async function createLabel(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  input: LabelCreate,
): Promise<Label> {
  return inTransaction(app, caller, async (tx, { audit }) => {
    await lockOrg(tx, caller.org_id);
    const existing = await listRows(tx, caller.org_id, contract_id);
    if (existing.length >= maxLabels)
      throw new AppError(
        "quota_exceeded",
        `A contract can have at most ${maxLabels} labels. Remove one first.`,
      );
    if (existing.some((row) => identity(row) === identity(input))) {
      throw new AppError("label_exists", "The contract already has this label.");
    }
    const row = toRow(app, caller.org_id, contract_id, input);
    await insertLabels(tx, [row]);
    audit({
      org_id: caller.org_id,
      action: "label.created",
      subject: { type: "contract", id: contract_id },
      details: { key: row.key, value: row.value },
    });
    return toLabel(row);
  });
}

/** Replaces all labels of a contract. */
export async function replaceLabels(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  labels: LabelCreate[],
  joined?: OpenTransaction,
): Promise<Label[]> {
  rejectDuplicates(labels);
  return inTransaction(
    app,
    caller,
    async (tx, { audit }) => {
      await lockOrg(tx, caller.org_id);
      await deleteLabels(tx, caller.org_id, contract_id);
      // Labels are listed by id; ids of one millisecond are unordered, so they are sorted to keep the given order.
      const ids = labels.map(() => newId(app)).sort();
      const rows = labels.map((label, index) => ({
        ...toRow(app, caller.org_id, contract_id, label),
        id: ids[index] ?? newId(app),
      }));
      await insertLabels(tx, rows);
      audit({
        org_id: caller.org_id,
        action: "label.replaced",
        subject: { type: "contract", id: contract_id },
        details: { count: rows.length },
      });
      return rows.map(toLabel);
    },
    joined,
  );
}

export async function removeLabel(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  label_id: string,
): Promise<{ ok: true }> {
  return inTransaction(app, caller, async (tx, { audit }) => {
    if (!(await deleteLabels(tx, caller.org_id, contract_id, label_id))) {
      throw new AppError("not_found", "There is no such label.");
    }
    audit({ org_id: caller.org_id, action: "label.deleted", subject: { type: "contract", id: contract_id } });
    return { ok: true };
  });
}

function rejectDuplicates(labels: LabelCreate[]): void {
  const seen = new Set<string>();
  const issues = labels.flatMap((label, index) => {
    const isDuplicate = seen.has(identity(label));
    seen.add(identity(label));
    return isDuplicate
      ? [{ loc: ["body", "labels", index], msg: "is a duplicate", type: "value_error" }]
      : [];
  });
  if (issues.length > 0) throw new InvalidRequest(issues);
}

/** Labels that differ only in case are equal. */
function identity({ key, value }: { key?: string | null | undefined; value: string }): string {
  return JSON.stringify([(key ?? "").toLowerCase(), value.toLowerCase()]);
}

function toRow(app: App, org_id: string, contract_id: string, input: LabelCreate): LabelRow {
  const { value, key = null, color = null } = input;
  return { id: newId(app), org_id, contract_id, key, value, color, created_at: app.clock.now() };
}

function toLabel({ id, key, value, color, created_at }: LabelRow): Label {
  return { id, key, value, color, created_at: created_at.toISOString() };
}
