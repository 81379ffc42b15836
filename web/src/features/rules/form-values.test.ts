import { expect, test } from "vitest";
import { emptyComparison, newKey, toCondition, toConditionForm } from "./condition-values.ts";
import { emptyForm, type RuleForm, toBody, toForm } from "./form-values.ts";

const form: RuleForm = {
  ...emptyForm,
  name: " Busy ",
  target_id: "t",
  threshold: "2.5",
  aggregation: "avg",
  channel_ids: ["a", "b"],
};

test("a body has the condition, the first channel as the main one and the others beside it", () => {
  expect(toBody(form)).toMatchObject({
    name: "Busy",
    target_id: "t",
    condition: { operator: "gte", threshold: 2.5, aggregation: "avg", window_seconds: 300 },
    channel_id: "a",
    channel_ids: ["b"],
    record_only: false,
    renotify_seconds: null,
    message_template: null,
  });
});

test("a rule without a channel only records", () => {
  expect(toBody({ ...form, channel_ids: [] })).toMatchObject({ channel_id: null, record_only: true });
});

test("a fall is typed as a positive number and sent as a negative change", () => {
  const falls = { ...form, operator: "change_pct_lt", threshold: "20" } as const;
  expect(toCondition(falls)).toMatchObject({ operator: "change_pct_lt", threshold: -20 });
  expect(toConditionForm({ operator: "change_pct_lt", threshold: -20 })).toMatchObject({ threshold: "20" });
  expect(toConditionForm({ operator: "change_pct_lt", threshold: 0 })).toMatchObject({ threshold: "0" });
  expect(toConditionForm({ operator: "change_pct_gt", threshold: 20 })).toMatchObject({ threshold: "20" });
});

test("a condition leaves out what its operator does not use", () => {
  expect(toCondition({ ...form, operator: "changed" })).toEqual({
    operator: "changed",
    aggregation: "avg",
    window_seconds: 300,
  });
  expect(toCondition({ ...form, operator: "between", threshold_high: "9" })).toMatchObject({
    threshold: 2.5,
    threshold_high: 9,
  });
  expect(toCondition({ ...form, aggregation: "each" })).toEqual({
    operator: "gte",
    threshold: 2.5,
    aggregation: "each",
  });
  expect(toCondition({ ...form, threshold: "" })).not.toHaveProperty("threshold");
});

test("a rule survives the way into the form and back, with its filter, its other conditions and its escalation", () => {
  const body = toBody({
    ...form,
    match: {
      events: [{ key: newKey(), signature: "Transfer(address,address,uint256)", expression: "value > 5" }],
      functions: [],
      status: "success",
      expression: "",
    },
    combines: "any",
    others: [{ ...emptyComparison, key: newKey(), target_id: "u", operator: "lt", threshold: "7" }],
    escalation: [{ key: newKey(), minutes: "1.5", channel_ids: ["b"] }],
    renotify_seconds: "600",
    message_template: "{{value}}",
  });
  expect(body).toMatchObject({
    condition: {
      match: {
        events: [{ signature: "Transfer(address,address,uint256)", expression: "value > 5" }],
        status: "success",
      },
      any: [{ target_id: "u", operator: "lt", threshold: 7, window_seconds: 300 }],
    },
    escalation: [{ after_seconds: 90, channel_ids: ["b"] }],
  });
  const rule = { ...body, id: "r" } as unknown as Parameters<typeof toForm>[0];
  expect(toBody(toForm(rule))).toEqual(body);
});

test("a rule without a filter, a group or other conditions sends none", () => {
  expect(Object.keys(toCondition(form))).toEqual(["operator", "threshold", "aggregation", "window_seconds"]);
  expect(toCondition({ ...form, group_by: " sender " })).toMatchObject({ group_by: "sender" });
});
