import type { App } from "../../app.ts";
import { listEventsByIds } from "../../store/alerts/history.ts";
import {
  type Audience,
  listAudiences,
  listFailedDeliveries,
  listMessages,
  type StreamRow,
} from "../../store/analytics/stream.ts";
import { listContractsByIds } from "../../store/contracts/contracts.ts";
import { listDiscoveriesByIds } from "../../store/imports/discoveries.ts";
import type { Viewer } from "../../store/viewer.ts";
import { withDeliveries } from "../alerts/alert-events.ts";
import { toContract } from "../contracts/contracts.ts";
import { describeDiscovery } from "../imports/discoveries.ts";

/** One thing that happened, and whom it may be told. */
export type StreamMessage = { seq: number; event: string; data: unknown; mayHear(viewer: Viewer): boolean };

/** Some of what happened in an org, as it stands now. */
export type StreamPage = {
  /** Undefined when some of what came next is no longer kept. */
  messages: StreamMessage[] | undefined;
  upTo: number;
  hasMore: boolean;
};

/** What happened in an org after a number, in order: a page at a time, so that whoever sends it can keep pace. */
export async function loadMessages(
  app: App,
  org_id: string,
  after: number,
  limit: number,
): Promise<StreamPage> {
  const rows = await listMessages(app.db, org_id, after, limit);
  const upTo = Number(rows.at(-1)?.seq ?? after);
  const hasGap = rows[0] !== undefined && Number(rows[0].seq) > after + 1;
  const messages = hasGap ? undefined : await describe(app, org_id, rows);
  return { messages, upTo, hasMore: rows.length === limit };
}

async function describe(app: App, org_id: string, rows: StreamRow[]): Promise<StreamMessage[]> {
  if (rows.length === 0) return [];
  const subjects = await loadSubjects(app, org_id, rows);
  const audiences = await listAudiences(app.db, [
    ...new Set([...subjects.values()].flatMap((one) => one.contract_ids)),
  ]);
  return rows.flatMap((row) => {
    const subject = subjects.get(keyOf(row));
    if (!subject) return [];
    const mayHear = (viewer: Viewer) =>
      subject.contract_ids.length === 0
        ? viewer.contract_scope === null && viewer.chain_scope === null
        : subject.contract_ids.every((id) =>
            seesContract(viewer, id, audiences.get(id) ?? pastAudience(row)),
          );
    return [{ seq: Number(row.seq), event: row.event, data: subject.data, mayHear }];
  });
}

type Subject = { data: unknown; contract_ids: string[] };

const keyOf = ({ event, subject_id }: Pick<StreamRow, "event" | "subject_id">) =>
  `${event.split(".")[0]} ${subject_id}`;

/** What the messages are about, each read once, however often it is mentioned. */
async function loadSubjects(app: App, org_id: string, rows: StreamRow[]): Promise<Map<string, Subject>> {
  const idsOf = (kind: string) => [
    ...new Set(rows.filter(({ event }) => event.startsWith(`${kind}.`)).map(({ subject_id }) => subject_id)),
  ];
  const [events, contracts, deliveries, discoveries] = await Promise.all([
    listEventsByIds(app.db, org_id, idsOf("alert")).then((found) => withDeliveries(app.db, found)),
    listContractsByIds(app.db, org_id, idsOf("contract")),
    listFailedDeliveries(app.db, org_id, idsOf("delivery")),
    listDiscoveriesByIds(app.db, org_id, idsOf("discovery")),
  ]);
  const subjects = new Map<string, Subject>();
  for (const id of idsOf("contract")) {
    subjects.set(`contract ${id}`, { data: { id, is_deleted: true }, contract_ids: [id] });
  }
  for (const contract of contracts) {
    subjects.set(`contract ${contract.id}`, { data: toContract(contract), contract_ids: [contract.id] });
  }
  for (const event of events) {
    subjects.set(`alert ${event.id}`, {
      data: event,
      contract_ids: event.contract_id ? [event.contract_id] : [],
    });
  }
  for (const { contract_ids, id, ...delivery } of deliveries) {
    subjects.set(`delivery ${id}`, { data: { delivery_id: id, ...delivery }, contract_ids });
  }
  for (const row of discoveries) {
    subjects.set(`discovery ${row.id}`, { data: describeDiscovery(row), contract_ids: [] });
  }
  return subjects;
}

/** Of a contract that is gone: whoever saw it while nobody was shut out. Not known to be so, it is for admins. */
function pastAudience({ chain_id, was_restricted }: StreamRow): Audience {
  return { chain_id: Number(chain_id ?? -1), is_restricted: was_restricted !== false, grantees: new Set() };
}

function seesContract(viewer: Viewer, contract_id: string, audience: Audience): boolean {
  const { user_id, contract_scope, chain_scope } = viewer;
  if (contract_scope && !contract_scope.includes(contract_id)) return false;
  if (chain_scope && !chain_scope.includes(audience.chain_id)) return false;
  return user_id === null || !audience.is_restricted || audience.grantees.has(user_id);
}

/** Which of some contracts a viewer sees, for what is sent without being kept. */
export async function makeContractFilter(
  app: App,
  contract_ids: string[],
): Promise<(viewer: Viewer, contract_id: string) => boolean> {
  const audiences = await listAudiences(app.db, [...new Set(contract_ids)]);
  return (viewer, contract_id) => {
    const audience = audiences.get(contract_id);
    return audience !== undefined && seesContract(viewer, contract_id, audience);
  };
}
