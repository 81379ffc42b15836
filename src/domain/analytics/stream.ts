import type { App } from "../../app.ts";
import { listEventsByIds } from "../../store/alerts/history.ts";
import {
  findHead,
  listAudiences,
  listFailedDeliveries,
  listMessages,
  ringSize,
  type StreamRow,
} from "../../store/analytics/stream.ts";
import { listInboxSubjects } from "../../store/channels/inbox.ts";
import { listContractsByIds } from "../../store/contracts/contracts.ts";
import { listDiscoveriesByIds } from "../../store/imports/discoveries.ts";
import { type Audience, canSee, isScopedKey, type Viewer } from "../../store/viewer.ts";
import { withDeliveries } from "../alerts/events/alert-events.ts";
import { toContract } from "../contracts/contracts.ts";
import { describeDiscovery } from "../imports/discoveries.ts";

/** One message of the live stream. */
export type StreamMessage = {
  seq: number;
  event: string;
  data: unknown;
  isVisibleTo(viewer: Viewer): boolean;
};

/** A page of messages of one org, with the current state of their subjects. */
export type StreamPage = {
  /** Undefined if messages after the requested number are no longer stored. */
  messages: StreamMessage[] | undefined;
  upTo: number;
  hasMore: boolean;
};

/** Returns the sequence number of the newest message of an org; 0 if there is none. */
export async function findLastSeq(app: App, org_id: string): Promise<number> {
  return findHead(app.db, org_id);
}

/** True if all messages after `seq` are still stored, given the newest sequence number. */
export function canResumeFrom(seq: number, lastSeq: number): boolean {
  return seq <= lastSeq && seq >= lastSeq - ringSize;
}

/** Loads the messages of an org after a sequence number, in order, one page per call. */
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
  const contract_ids = new Set([...subjects.values()].flatMap((subject) => subject.contract_ids));
  const audiences = await listAudiences(app.db, [...contract_ids]);
  return rows.flatMap((row) => {
    const subject = subjects.get(keyOf(row));
    if (!subject) return [];
    const isVisibleTo = (viewer: Viewer) =>
      subject.contract_ids.length === 0
        ? !isScopedKey(viewer)
        : subject.contract_ids.every((id) =>
            canSee(viewer, audiences.get(id) ?? deletedContractAudience(org_id, id, row)),
          );
    return [{ seq: Number(row.seq), event: row.event, data: subject.data, isVisibleTo }];
  });
}

type Subject = { data: unknown; contract_ids: string[] };

const keyOf = ({ event, subject_id }: Pick<StreamRow, "event" | "subject_id">) =>
  `${event.split(".")[0]} ${subject_id}`;

/** Loads the subjects of messages, each once. */
async function loadSubjects(app: App, org_id: string, rows: StreamRow[]): Promise<Map<string, Subject>> {
  const idsOf = (kind: string) => [
    ...new Set(rows.filter(({ event }) => event.startsWith(`${kind}.`)).map(({ subject_id }) => subject_id)),
  ];
  const [events, contracts, deliveries, discoveries, messages] = await Promise.all([
    listEventsByIds(app.db, org_id, idsOf("alert")).then((events) => withDeliveries(app.db, events)),
    listContractsByIds(app.db, org_id, idsOf("contract")),
    listFailedDeliveries(app.db, org_id, idsOf("delivery")),
    listDiscoveriesByIds(app.db, org_id, idsOf("discovery")),
    listInboxSubjects(app.db, org_id, idsOf("inbox")),
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
  for (const { id, contract_ids } of messages) {
    subjects.set(`inbox ${id}`, { data: { message_id: id }, contract_ids });
  }
  return subjects;
}

/** The audience of a deleted contract: unless it is known to have been unrestricted, only admins can see it. */
function deletedContractAudience(
  org_id: string,
  id: string,
  { chain_id, was_restricted }: StreamRow,
): Audience {
  const is_restricted = was_restricted !== false;
  return { org_id, id, chain_id: Number(chain_id ?? -1), is_restricted, grantees: new Set() };
}

/** Returns a function that decides which of some contracts a viewer can see, for updates that are not stored. */
export async function makeContractFilter(
  app: App,
  contract_ids: string[],
): Promise<(viewer: Viewer, contract_id: string) => boolean> {
  const audiences = await listAudiences(app.db, [...new Set(contract_ids)]);
  return (viewer, contract_id) => {
    const audience = audiences.get(contract_id);
    return audience !== undefined && canSee(viewer, audience);
  };
}
