import type { SolanaBehaviour } from "../behaviour.ts";
import { laggingBackends } from "./lagging-backends.ts";
import { lateIndex } from "./late-index.ts";
import { limitCode32007 } from "./limit-code-32007.ts";
import { limitCode32429 } from "./limit-code-32429.ts";
import { nullTransactions } from "./null-transactions.ts";
import { shortRetention } from "./short-retention.ts";
import { silentSocket } from "./silent-socket.ts";
import { tenCallsASecond } from "./ten-calls-a-second.ts";
import { internalErrors, unindexed } from "./unindexed-address.ts";
import { unknownUntil } from "./unknown-until.ts";
import { unreliableReplies } from "./unreliable-replies.ts";
import { versionLimit } from "./version-limit.ts";

export const solanaBehaviours: readonly SolanaBehaviour[] = [
  tenCallsASecond,
  limitCode32429,
  limitCode32007,
  unindexed,
  internalErrors,
  unknownUntil,
  nullTransactions,
  laggingBackends,
  lateIndex,
  versionLimit,
  shortRetention,
  silentSocket,
  unreliableReplies,
];
