import { onFirstUse } from "../../lib/caching/on-first-use.ts";
import type { Operation } from "../operation.ts";
import type { Arguments, Call, CallReply } from "./call-operation.ts";
import { createRule, createRuleArguments } from "./create-rule.ts";
import { findOperation } from "./find-operation.ts";

/** A tool: a name for agents, and the operations that it runs. Texts and arguments are those of the last operation. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  operations: Operation[];
  /** Arguments that the tool sets itself. */
  fixed: Arguments;
  /** Arguments of the tool itself, as JSON Schema. */
  ownArguments: Record<string, object>;
  /** True if the schema of the arguments leaves out the items of lists, because it would fill the context of an agent. */
  hasBriefSchema: boolean;
  run(call: Call, args: Arguments): Promise<CallReply>;
};

type Entry = {
  operation: string;
  before?: string[];
  hint?: string;
  fixed?: Arguments;
  ownArguments?: Record<string, object>;
  hasBriefSchema?: true;
  run?: Tool["run"];
};

const documentHint =
  "The document has the form of `export_configuration`; its schema is `ConfigApply` in /openapi.json.";

/** Every tool by its name, in the order in which agents see them. */
const entries: Record<string, Entry> = {
  list_chains: { operation: "listChains" },
  list_contracts: { operation: "listContracts" },
  get_contract: { operation: "getContract" },
  inspect_address: { operation: "inspectContract", hint: "Use it before `create_contract`." },
  analyse_contract: { operation: "analyseContract" },
  create_contract: { operation: "createContract" },
  list_target_types: {
    operation: "listTargetTypes",
    hint: "Use it before `create_target`: it has the schema of each config.",
  },
  list_targets: { operation: "listTargets" },
  create_target: { operation: "createTarget" },
  get_live_metrics: { operation: "getLiveMetrics" },
  list_channels: { operation: "listChannels" },
  list_rules: { operation: "listAlertRules" },
  get_rule: { operation: "getAlertRule" },
  backtest_rule: { operation: "backtestAlertRule" },
  create_rule: {
    operation: "createAlertRule",
    before: ["backtestAlertRule"],
    hint:
      "The rule is back-tested first. If it would have fired more than `max_fires_per_day` times a day, it is not created, " +
      "and the reply has the back-test and a threshold that fits.",
    ownArguments: createRuleArguments,
    run: createRule,
  },
  search_history: { operation: "listAlertHistory" },
  explain_event: {
    operation: "getAlertEvent",
    hint: "The `explanation` says which values, transaction and accounts caused the alert.",
  },
  acknowledge_events: { operation: "acknowledgeAlertEvents" },
  list_silences: { operation: "listSilences" },
  create_silence: { operation: "createSilence" },
  end_silence: { operation: "deleteSilence" },
  export_configuration: { operation: "exportConfig" },
  plan_configuration: {
    operation: "applyConfig",
    hint: `This tool only returns the plan and changes nothing. ${documentHint}`,
    fixed: { dry_run: true },
    hasBriefSchema: true,
  },
  apply_configuration: {
    operation: "applyConfig",
    hint: `Show the result of \`plan_configuration\` to a person first. ${documentHint}`,
    fixed: { dry_run: false },
    hasBriefSchema: true,
  },
};

/** The tools by name. */
export const tools = onFirstUse(
  () => new Map(Object.entries(entries).map(([name, entry]) => [name, toTool(name, entry)])),
);

function toTool(name: string, { operation: id, before = [], hint, ...more }: Entry): Tool {
  const operation = findOperation(id);
  return {
    name,
    title: operation.summary,
    description: hint ? `${operation.description} ${hint}` : operation.description,
    operations: [...before.map(findOperation), operation],
    fixed: more.fixed ?? {},
    ownArguments: more.ownArguments ?? {},
    hasBriefSchema: more.hasBriefSchema ?? false,
    run: more.run ?? ((call, args) => call(operation, args)),
  };
}
