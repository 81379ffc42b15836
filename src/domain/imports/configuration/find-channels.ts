import type { EscalationStep } from "../../../wire/alerts/rules.ts";
import type { ConfigRule } from "../../../wire/imports/configuration.ts";
import { addError, type Loc, type Work } from "./change-log.ts";

export type Channels = { channel_id?: string | null; channel_ids?: string[]; escalation?: EscalationStep[] };

/** Returns the channels of a rule by id; undefined if one does not exist, which is reported. */
export function findChannels(
  work: Work,
  wanted: Pick<ConfigRule, "channels" | "escalation">,
  loc: Loc,
  ids: Map<string, string>,
): Channels | undefined {
  const before = work.errors.length;
  const idsOf = (refs: readonly string[], at: Loc) =>
    refs.flatMap((ref, index) => {
      const id = ids.get(ref);
      if (id === undefined) addError(work, [...at, index], "is not a channel of the organisation");
      return id ?? [];
    });
  const found = wanted.channels && idsOf(wanted.channels, [...loc, "channels"]);
  const escalation = wanted.escalation?.map(({ after_seconds, channels }, step) => ({
    after_seconds,
    channel_ids: idsOf(channels, [...loc, "escalation", step, "channels"]),
  }));
  if (work.errors.length > before) return undefined;
  const [channel_id = null, ...channel_ids] = new Set(found);
  return { ...(found && { channel_id, channel_ids }), ...(escalation && { escalation }) };
}
