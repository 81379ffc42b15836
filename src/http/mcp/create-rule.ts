import type { BacktestResult } from "../../wire/contracts/live-metrics.ts";
import type { Arguments, Call, CallReply } from "./call-operation.ts";
import { findOperation } from "./find-operation.ts";

export const createRuleArguments = {
  max_fires_per_day: {
    type: "number",
    minimum: 0,
    default: 1,
    description: "The rule is created only if the back-test found at most this many alerts a day.",
  },
};

/** Episodes in the reply: enough to see when the rule would have fired. */
const maxEpisodes = 20;

/** Back-tests a rule, and creates it unless it would have fired too often. */
export async function createRule(call: Call, args: Arguments): Promise<CallReply> {
  const { max_fires_per_day = 1, ...rule } = args;
  if (typeof max_fires_per_day !== "number" || !(max_fires_per_day >= 0)) return invalidLimit;
  const tested = await call(findOperation("backtestAlertRule"), backtestOf(rule));
  if (tested.status !== 200) return tested;
  const result = tested.body as BacktestResult;
  const backtest = {
    ...result,
    episodes: result.episodes.slice(0, maxEpisodes),
    episodes_total: result.episodes.length,
  };
  if (result.fires_per_day > max_fires_per_day) {
    const body = { created: false, advice: adviceOn(result, max_fires_per_day), backtest };
    return { ...tested, body };
  }
  const created = await call(findOperation("createAlertRule"), rule);
  return created.status === 200
    ? { ...created, body: { created: true, rule: created.body, backtest } }
    : created;
}

const invalidLimit: CallReply = {
  status: 422,
  body: {
    detail: [
      { loc: ["body", "max_fires_per_day"], msg: "must be a number of at least 0", type: "value_error" },
    ],
  },
  length: 0,
};

/** The fields that a back-test evaluates; those that are absent keep their defaults. */
function backtestOf(rule: Arguments): Arguments {
  const fields = ["target_id", "condition", "for_seconds", "resolve_after_seconds"];
  return Object.fromEntries(Object.entries(rule).filter(([name]) => fields.includes(name)));
}

function adviceOn({ fires_per_day, suggested_threshold }: BacktestResult, max: number): string {
  const message = `The rule was not created: it would have fired ${fires_per_day} times a day, more than ${max}.`;
  const fix =
    suggested_threshold === null
      ? "Change the condition"
      : `Use a threshold of ${suggested_threshold}, change the condition`;
  return `${message} ${fix}, or raise max_fires_per_day if that many alerts are wanted.`;
}
