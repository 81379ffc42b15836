import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import * as z from "zod/mini";
import { NotFound, RouteError } from "@/app/route-error.tsx";
import { Shell } from "@/app/shell/shell.tsx";
import { severities } from "@/lib/severity.ts";
import { eventQuery, ruleQuery, rulesQuery, silencesQuery } from "@/queries/alerts.ts";
import { channelsQuery, channelTypesQuery } from "@/queries/channels.ts";
import { chainsQuery, contractQuery, contractsQuery, targetTypesQuery } from "@/queries/contracts.ts";
import { inboxQuery } from "@/queries/inbox.ts";
import { statsQuery } from "@/queries/overview.ts";
import { policiesQuery, policyQuery } from "@/queries/policies.ts";
import { Skeleton } from "@/ui/skeleton.tsx";

type Context = { client: QueryClient; org: string };

/** A search parameter that is dropped when it is not valid, so that a mistyped link still opens. */
const text = z.catch(z.optional(z.string()), undefined);
const choice = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  z.catch(z.optional(z.enum(values)), undefined);

const root = createRootRouteWithContext<Context>()({ component: Shell, notFoundComponent: NotFound });

const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  loader: ({ context: { client, org } }) => client.ensureQueryData(statsQuery(org)),
  component: lazyRouteComponent(() => import("@/routes/overview.tsx"), "OverviewPage"),
});

export const alertsSearch = z.object({
  severity: choice(...severities),
  status: choice("firing", "occurred", "acknowledged", "resolved", "retracted"),
  contract: text,
  chain: text,
  range: choice("1h", "24h", "7d", "30d"),
  from: text,
  to: text,
});
const alerts = createRoute({
  getParentRoute: () => root,
  path: "/alerts",
  validateSearch: alertsSearch,
  component: lazyRouteComponent(() => import("@/routes/alerts.tsx"), "AlertsPage"),
});

const event = createRoute({
  getParentRoute: () => root,
  path: "/alerts/events/$id",
  loader: ({ context: { client, org }, params: { id } }) => client.ensureQueryData(eventQuery(org, id)),
  component: lazyRouteComponent(() => import("@/routes/event.tsx"), "EventPage"),
});

const contracts = createRoute({
  getParentRoute: () => root,
  path: "/contracts",
  validateSearch: z.object({ q: text, chain: text, status: text, label: text, sort: text }),
  loader: ({ context: { client, org } }) => client.ensureQueryData(contractsQuery(org)),
  component: lazyRouteComponent(() => import("@/routes/contracts.tsx"), "ContractsPage"),
});

const newContract = createRoute({
  getParentRoute: () => root,
  path: "/contracts/new",
  validateSearch: z.object({ address: text, chain: text }),
  loader: ({ context: { client, org } }) =>
    Promise.all([client.ensureQueryData(targetTypesQuery), client.ensureQueryData(channelsQuery(org))]),
  component: lazyRouteComponent(() => import("@/routes/new-contract.tsx"), "NewContractPage"),
});

const contract = createRoute({
  getParentRoute: () => root,
  path: "/contracts/$id",
  validateSearch: z.object({
    tab: choice("live", "targets", "rules", "events", "proxy", "bridge", "analysis", "access"),
  }),
  loader: ({ context: { client, org }, params: { id } }) => client.ensureQueryData(contractQuery(org, id)),
  component: lazyRouteComponent(() => import("@/routes/contract.tsx"), "ContractPage"),
});

const rules = createRoute({
  getParentRoute: () => root,
  path: "/rules",
  validateSearch: z.object({ q: text, state: text, severity: text, contract: text, sort: text }),
  loader: ({ context: { client, org } }) =>
    Promise.all([
      client.ensureQueryData(rulesQuery(org)),
      client.ensureQueryData(contractsQuery(org)),
      client.ensureQueryData(targetTypesQuery),
    ]),
  component: lazyRouteComponent(() => import("@/routes/rules.tsx"), "RulesPage"),
});

const editorData = ({ client, org }: Context) =>
  Promise.all([
    client.ensureQueryData(contractsQuery(org)),
    client.ensureQueryData(channelsQuery(org)),
    client.ensureQueryData(targetTypesQuery),
  ]);

const newRule = createRoute({
  getParentRoute: () => root,
  path: "/rules/new",
  validateSearch: z.object({ contract: text, target: text }),
  loader: ({ context }) => editorData(context),
  component: lazyRouteComponent(() => import("@/routes/rule-editor.tsx"), "NewRulePage"),
});

const noisyRules = createRoute({
  getParentRoute: () => root,
  path: "/rules/noisy",
  validateSearch: z.object({ range: choice("1h", "24h", "7d", "30d") }),
  component: lazyRouteComponent(() => import("@/routes/noisy-rules.tsx"), "NoisyRulesPage"),
});

const rule = createRoute({
  getParentRoute: () => root,
  path: "/rules/$id",
  loader: ({ context, params: { id } }) =>
    Promise.all([editorData(context), context.client.ensureQueryData(ruleQuery(context.org, id))]),
  component: lazyRouteComponent(() => import("@/routes/rule-editor.tsx"), "RulePage"),
});

const policies = createRoute({
  getParentRoute: () => root,
  path: "/policies",
  loader: ({ context: { client, org } }) =>
    Promise.all([client.ensureQueryData(policiesQuery(org)), client.ensureQueryData(targetTypesQuery)]),
  component: lazyRouteComponent(() => import("@/routes/policies.tsx"), "PoliciesPage"),
});

const newPolicy = createRoute({
  getParentRoute: () => root,
  path: "/policies/new",
  loader: ({ context }) =>
    Promise.all([editorData(context), context.client.ensureQueryData(chainsQuery(context.org))]),
  component: lazyRouteComponent(() => import("@/routes/policy-editor.tsx"), "NewPolicyPage"),
});

const policy = createRoute({
  getParentRoute: () => root,
  path: "/policies/$id",
  loader: ({ context, params: { id } }) =>
    Promise.all([
      editorData(context),
      context.client.ensureQueryData(chainsQuery(context.org)),
      context.client.ensureQueryData(policyQuery(context.org, id)),
    ]),
  component: lazyRouteComponent(() => import("@/routes/policy-editor.tsx"), "PolicyPage"),
});

const imports = createRoute({
  getParentRoute: () => root,
  path: "/imports",
  component: lazyRouteComponent(() => import("@/routes/imports.tsx"), "ImportsPage"),
});

const channels = createRoute({
  getParentRoute: () => root,
  path: "/channels",
  loader: ({ context: { client, org } }) =>
    Promise.all([client.ensureQueryData(channelsQuery(org)), client.ensureQueryData(channelTypesQuery)]),
  component: lazyRouteComponent(() => import("@/routes/channels.tsx"), "ChannelsPage"),
});

const newChannel = createRoute({
  getParentRoute: () => root,
  path: "/channels/new",
  validateSearch: z.object({ type: text }),
  loader: ({ context: { client } }) => client.ensureQueryData(channelTypesQuery),
  component: lazyRouteComponent(() => import("@/routes/channel.tsx"), "NewChannelPage"),
});

const channel = createRoute({
  getParentRoute: () => root,
  path: "/channels/$id",
  loader: ({ context: { client, org } }) =>
    Promise.all([client.ensureQueryData(channelsQuery(org)), client.ensureQueryData(channelTypesQuery)]),
  component: lazyRouteComponent(() => import("@/routes/channel.tsx"), "ChannelPage"),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  loader: ({ context: { client, org } }) =>
    Promise.all([client.ensureQueryData(inboxQuery(org)), client.ensureQueryData(channelsQuery(org))]),
  component: lazyRouteComponent(() => import("@/routes/inbox.tsx"), "InboxPage"),
});

const silences = createRoute({
  getParentRoute: () => root,
  path: "/silences",
  loader: ({ context: { client, org } }) =>
    Promise.all([client.ensureQueryData(silencesQuery(org)), client.ensureQueryData(contractsQuery(org))]),
  component: lazyRouteComponent(() => import("@/routes/silences.tsx"), "SilencesPage"),
});

/** Every component on one page; only in development. */
const gallery = createRoute({
  getParentRoute: () => root,
  path: "/ui",
  component: lazyRouteComponent(() => import("@/routes/gallery.tsx"), "GalleryPage"),
});

const pages = [
  overview,
  alerts,
  event,
  contracts,
  newContract,
  contract,
  rules,
  newRule,
  noisyRules,
  rule,
  policies,
  newPolicy,
  policy,
  imports,
  channels,
  newChannel,
  channel,
  inbox,
  silences,
  gallery,
];

/** The map of the product. */
export function makeAppRouter(context: Context) {
  return createRouter({
    routeTree: root.addChildren(pages),
    context,
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: Skeleton,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
    // The default serialiser writes JSON, and would turn the text "4999" into a number.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const filled = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
      const query = new URLSearchParams(filled.map(([name, value]) => [name, String(value)])).toString();
      return query && `?${query}`;
    },
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeAppRouter>;
  }
}
