import { z } from "zod";
import { durationText } from "../../lib/text.ts";
import { movementText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { integerResult, readCall, readingOrProblem } from "../state-results.ts";

const minDelay = "getMinDelay() view returns (uint256)";
const delayFunction = "delay() view returns (uint256)";

/** Measures the minimum delay of a timelock. */
export const timelockDelay = defineMeter({
  type: "timelock_delay",
  title: "Timelock delay",
  about: "The minimum delay of a timelock in seconds, from getMinDelay() or delay().",
  unit: "seconds",
  families: ["evm"],
  needsCode: true,
  instances: "one",
  config: z.strictObject({}),
  needs: ["state"],
  aggregation: "last",
  isSetting: true,

  reads(_config, { address }) {
    return [readCall(address, minDelay), readCall(address, delayFunction)];
  },

  interpret(_config, [first, second]) {
    return readingOrProblem(() => {
      // A contract with a fallback function may return no data instead of reverting.
      const hasMinDelay = first?.ok === true && first.data.length >= 66;
      const delay = integerResult(
        hasMinDelay ? first : (second ?? first),
        hasMinDelay ? minDelay : delayFunction,
      );
      return { value: Number(delay), evidence: { delay } };
    });
  },

  describe(_config, occasion) {
    return `minimum delay ${movementText(occasion, durationText)}`;
  },
});
