import { beacon } from "./beacon.ts";
import { diamond } from "./diamond.ts";
import { eip897 } from "./eip897.ts";
import { eip1167 } from "./eip1167.ts";
import { eip1822 } from "./eip1822.ts";
import { eip1967 } from "./eip1967.ts";
import { eip7702 } from "./eip7702.ts";
import { legacy } from "./legacy.ts";
import type { ProxyKind } from "./proxy-kind.ts";
import { safe } from "./safe.ts";

/** Every kind of proxy, in the order of detection: by bytecode, then by slots, then by calls. */
export const proxyKinds: readonly ProxyKind[] = [
  eip7702,
  eip1167,
  eip1967,
  beacon,
  eip1822,
  legacy,
  safe,
  diamond,
  eip897,
];
