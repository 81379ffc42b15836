import type { Schemas } from "@/lib/api.ts";

/** The severities of an alert, the most severe first. */
export const severities = ["critical", "warning", "info"] as const satisfies Severity[];

export type Severity = Schemas["AlertRule"]["severity"];
