import type { Behaviour } from "./behaviour.ts";
import { arbitrumBlocks } from "./behaviours/arbitrum-blocks.ts";
import { celoBlocks } from "./behaviours/celo-blocks.ts";
import { dailyQuota } from "./behaviours/daily-quota.ts";
import { gatewayTimeouts } from "./behaviours/gateway-timeouts.ts";
import { gatewayTimeoutsOfState } from "./behaviours/gateway-timeouts-of-state.ts";
import { hangs } from "./behaviours/hangs.ts";
import { hangsOnState } from "./behaviours/hangs-on-state.ts";
import { htmlPages } from "./behaviours/html-pages.ts";
import { jumpingHeads } from "./behaviours/jumping-heads.ts";
import { lateLogs } from "./behaviours/late-logs.ts";
import { noArchive } from "./behaviours/no-archive.ts";
import { noBlockHashes } from "./behaviours/no-block-hashes.ts";
import { noBlockReceipts } from "./behaviours/no-block-receipts.ts";
import { noFinalityTags } from "./behaviours/no-finality-tags.ts";
import { nullNewestBlock } from "./behaviours/null-newest-block.ts";
import { polygonBlocks } from "./behaviours/polygon-blocks.ts";
import { refusesUnfilteredLogs } from "./behaviours/refuses-unfiltered-logs.ts";
import { seiBlocks } from "./behaviours/sei-blocks.ts";
import { socketDrops } from "./behaviours/socket-drops.ts";
import { socketLags } from "./behaviours/socket-lags.ts";
import { socketOnly } from "./behaviours/socket-only.ts";
import { socketSilent } from "./behaviours/socket-silent.ts";
import { tenCallsASecond } from "./behaviours/ten-calls-a-second.ts";
import { tooManyRequests } from "./behaviours/too-many-requests.ts";
import { tooManyRequestsRetryAfter } from "./behaviours/too-many-requests-retry-after.ts";
import { truncatedJson } from "./behaviours/truncated-json.ts";
import { unknownFeeLogs } from "./behaviours/unknown-fee-logs.ts";
import { wrongChainId } from "./behaviours/wrong-chain-id.ts";
import { zksyncBlocks } from "./behaviours/zksync-blocks.ts";

/** All members of the provider zoo. */
export const behaviours: Behaviour[] = [
  arbitrumBlocks,
  celoBlocks,
  dailyQuota,
  gatewayTimeoutsOfState,
  gatewayTimeouts,
  hangsOnState,
  hangs,
  htmlPages,
  jumpingHeads,
  lateLogs,
  noArchive,
  noBlockHashes,
  noBlockReceipts,
  noFinalityTags,
  nullNewestBlock,
  polygonBlocks,
  refusesUnfilteredLogs,
  seiBlocks,
  socketDrops,
  socketLags,
  socketOnly,
  socketSilent,
  tenCallsASecond,
  tooManyRequestsRetryAfter,
  tooManyRequests,
  truncatedJson,
  unknownFeeLogs,
  wrongChainId,
  zksyncBlocks,
];
