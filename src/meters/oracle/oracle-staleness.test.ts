import { describe, expect, it } from "vitest";
import { at, failed, feedAnswers, start, subject } from "../../../test/meters/scripted-activity.ts";
import { oracleStaleness } from "./oracle-staleness.ts";

function interpret(results: ReturnType<typeof feedAnswers>) {
  return oracleStaleness.interpret?.({ heartbeat_seconds: 3600 }, results, subject, at(start));
}

describe("the oracle_staleness meter", () => {
  it("measures the time since the last update, with the heartbeat as evidence", () => {
    expect(interpret(feedAnswers(5n, 0, start - 4000))).toMatchObject({
      value: 4000,
      evidence: { updated_at: start - 4000, heartbeat_seconds: 3600, overdue_seconds: 400 },
    });
  });

  it("is 0 for an update slightly in the future, and a problem for one far in the future", () => {
    expect(interpret(feedAnswers(5n, 0, start + 30))).toMatchObject({ value: 0 });
    expect(interpret(feedAnswers(5n, 0, start + 100_000))).toHaveProperty("problem");
  });

  it("reports a problem if the round is not complete or cannot be read", () => {
    expect(interpret(feedAnswers(5n, 0, 0))).toHaveProperty("problem");
    expect(interpret([failed, failed])).toHaveProperty("problem");
  });
});
