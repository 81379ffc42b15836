import { z } from "zod";
import type { Decoded } from "../../chains/activity.ts";
import { eventReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";
import { selectEvents, standardEvents } from "../standard-events.ts";
import { decodedOf, decodedText, senderText, type Words } from "../words.ts";
import { ownershipDeclarations } from "./ownership-events.ts";

const names = [
  ...new Set(ownershipDeclarations.map((declaration) => declaration.slice(0, declaration.indexOf("(")))),
];
const ownershipEvents = standardEvents(ownershipDeclarations);

/** Counts changes of owners, roles, admins and Safe signers. */
export const ownershipChange = defineMeter({
  type: "ownership_change",
  title: "Ownership changes",
  about:
    "Counts events that change who controls the contract: ownership transfers, role grants and revocations, admin changes, and changes of Safe owners, threshold, modules or guards.",
  unit: "changes",
  isOccurrence: true,
  families: ["evm"],
  needsCode: true,
  instances: "one",
  config: z.strictObject({
    events: z
      .array(z.enum(names))
      .min(1)
      .max(names.length)
      .optional()
      .describe("The events to count; all by default"),
  }),
  needs: ["logs"],
  events: (_config, { address }) => [{ address, topics: ownershipEvents.topics() }],
  declaredEvents: ({ events: selected }) =>
    ownershipEvents.all().filter(({ item }) => !selected || selected.includes(item.name)),
  aggregation: "count",

  measure({ events: selected }, { events }, { address }) {
    return selectEvents(events, address, ownershipEvents)
      .filter(
        ({ topics }) => !selected || selected.includes(ownershipEvents.get(topics[0] ?? "")?.item.name ?? ""),
      )
      .map((event) => eventReading(event, 1));
  },

  describe(_config, { reading, words }) {
    const decoded = decodedOf(reading);
    if (!decoded) return `control changed${senderText(reading, words)}`;
    return `${controlText(decoded, words)}${senderText(reading, words)}`;
  },
});

/** Says what the most frequent events mean; the others are named with their arguments. */
function controlText(decoded: Decoded, words: Words): string {
  const { $0: first, $1: second } = decoded.args;
  switch (decoded.name) {
    case "OwnershipTransferred":
      return `ownership transferred from ${words.address(first)} to ${words.address(second)}`;
    case "OwnershipTransferStarted":
      return `ownership offered to ${words.address(second)} by ${words.address(first)}`;
    case "RoleGranted":
      return `${roleText(first, words)} granted to ${words.address(second)}`;
    case "RoleRevoked":
      return `${roleText(first, words)} revoked from ${words.address(second)}`;
    case "AdminChanged":
      return `admin changed: ${words.address(first)} → ${words.address(second)}`;
    case "OwnerAddition":
    case "AddedOwner":
      return `owner added: ${words.address(first)}`;
    case "OwnerRemoval":
    case "RemovedOwner":
      return `owner removed: ${words.address(first)}`;
    case "RequirementChange":
    case "ChangedThreshold":
      return `number of required signatures changed to ${String(first)}`;
    case "EnabledModule":
      return `module enabled: ${words.address(first)}`;
    case "DisabledModule":
      return `module disabled: ${words.address(first)}`;
    default:
      return decodedText(decoded, words);
  }
}

function roleText(role: unknown, words: Words): string {
  return /^0x0{64}$/.test(String(role)) ? "the admin role" : `role ${words.address(role)}`;
}
