import type { Behaviour } from "./behaviour.ts";
import { arbitrumBlocks } from "./behaviours/chains/arbitrum-blocks.ts";
import { celoBlocks } from "./behaviours/chains/celo-blocks.ts";
import { polygonBlocks } from "./behaviours/chains/polygon-blocks.ts";
import { seiBlocks } from "./behaviours/chains/sei-blocks.ts";
import { unknownFeeLogs } from "./behaviours/chains/unknown-fee-logs.ts";
import { wrongChainId } from "./behaviours/chains/wrong-chain-id.ts";
import { zksyncBlocks } from "./behaviours/chains/zksync-blocks.ts";
import { gatewayTimeouts } from "./behaviours/failures/gateway-timeouts.ts";
import { gatewayTimeoutsOfState } from "./behaviours/failures/gateway-timeouts-of-state.ts";
import { hangs } from "./behaviours/failures/hangs.ts";
import { hangsOnState } from "./behaviours/failures/hangs-on-state.ts";
import { htmlPages } from "./behaviours/failures/html-pages.ts";
import { truncatedJson } from "./behaviours/failures/truncated-json.ts";
import { forbidsBlockReceipts } from "./behaviours/gaps/forbids-block-receipts.ts";
import { jumpingHeads } from "./behaviours/gaps/jumping-heads.ts";
import { lateLogs } from "./behaviours/gaps/late-logs.ts";
import { noArchive } from "./behaviours/gaps/no-archive.ts";
import { noBlockHashes } from "./behaviours/gaps/no-block-hashes.ts";
import { noBlockReceipts } from "./behaviours/gaps/no-block-receipts.ts";
import { noFinalityTags } from "./behaviours/gaps/no-finality-tags.ts";
import { nullNewestBlock } from "./behaviours/gaps/null-newest-block.ts";
import { refusesUnfilteredLogs } from "./behaviours/gaps/refuses-unfiltered-logs.ts";
import { dailyQuota } from "./behaviours/limits/daily-quota.ts";
import { tenCallsASecond } from "./behaviours/limits/ten-calls-a-second.ts";
import { tooManyRequests } from "./behaviours/limits/too-many-requests.ts";
import { tooManyRequestsRetryAfter } from "./behaviours/limits/too-many-requests-retry-after.ts";
import { socketDrops } from "./behaviours/sockets/socket-drops.ts";
import { socketLags } from "./behaviours/sockets/socket-lags.ts";
import { socketOnly } from "./behaviours/sockets/socket-only.ts";
import { socketSilent } from "./behaviours/sockets/socket-silent.ts";

/** All members of the provider zoo. */
export const behaviours: Behaviour[] = [
  arbitrumBlocks,
  celoBlocks,
  dailyQuota,
  forbidsBlockReceipts,
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
