import type { GeneratedAlways } from "kysely";

/** What happened in each org, for whoever watches it live. */
export type StreamTables = {
  stream_queue: Announcement & { id: GeneratedAlways<string> };
  stream_messages: Announcement & { seq: string };
  stream_heads: { org_id: string; seq: string };
};

type Announcement = {
  org_id: string;
  event: string;
  subject_id: string;
  contract_id: string | null;
  chain_id: string | null;
  was_restricted: boolean | null;
};
