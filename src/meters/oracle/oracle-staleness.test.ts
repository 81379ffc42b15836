import { describe, expect, it } from "vitest";
import { at, failed, feedAnswers, start, subject } from "../../../test/meters/scripted-activity.ts";
import { oracleStaleness } from "./oracle-staleness.ts";

function interpret(results: ReturnType<typeof feedAnswers>) {
  return oracleStaleness.interpret?.({ heartbeat_seconds: 3600 }, results, subject, at(start));
}

describe("the age of a feed", () => {
  it("is the time since its update, beside its heartbeat", () => {
    expect(interpret(feedAnswers(5n, 0, start - 4000))).toMatchObject({
      value: 4000,
      evidence: { updated_at: start - 4000, heartbeat_seconds: 3600, overdue_seconds: 400 },
    });
  });

  it("is not negative when clocks differ a little, and a problem when they differ much", () => {
    expect(interpret(feedAnswers(5n, 0, start + 30))).toMatchObject({ value: 0 });
    expect(interpret(feedAnswers(5n, 0, start + 100_000))).toHaveProperty("problem");
  });

  it("is a problem when the round is not complete or cannot be read", () => {
    expect(interpret(feedAnswers(5n, 0, 0))).toHaveProperty("problem");
    expect(interpret([failed, failed])).toHaveProperty("problem");
  });
});
