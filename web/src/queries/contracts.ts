import { queryOptions } from "@tanstack/react-query";
import { api, data, type Schemas } from "@/lib/api.ts";
import { keys, sharedKeys } from "@/lib/keys.ts";

export type Contract = Schemas["Contract"];
export type Target = Schemas["Target"];
export type TargetType = Schemas["TargetTypeInfo"];
export type LiveMetric = Schemas["LiveMetric"];
export type Chain = Schemas["Chain"];

export type Inspection = Schemas["Inspection"];

const path = (contract_id: string) => ({ path: { contract_id } });

export const contractsQuery = (org: string) =>
  queryOptions({
    queryKey: keys(org).contracts,
    queryFn: ({ signal }) => data(api.GET("/api/v1/contracts", { signal })),
  });

export const contractQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: keys(org).contract(id),
    queryFn: ({ signal }) => data(api.GET("/api/v1/contracts/{contract_id}", { params: path(id), signal })),
  });

export const liveQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: keys(org).contractPart(id, "live"),
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/contracts/{contract_id}/live-metrics", { params: path(id), signal })),
    refetchInterval: 30_000,
  });

export const targetsQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: keys(org).contractPart(id, "targets"),
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/contracts/{contract_id}/targets", { params: path(id), signal })),
  });

export const proxyQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: keys(org).contractPart(id, "proxy"),
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/contracts/{contract_id}/proxy-state", { params: path(id), signal })),
  });

export const bridgeQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: keys(org).contractPart(id, "bridge"),
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/contracts/{contract_id}/bridge-config", { params: path(id), signal })),
  });

export const analysisQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: keys(org).contractPart(id, "analysis"),
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/contracts/{contract_id}/analysis", { params: path(id), signal })),
  });

/** What is known about the code of a contract, for the names in its ABI. */
export const inspectionQuery = (
  org: string,
  { id, chain, address }: Pick<Contract, "id" | "chain" | "address">,
) =>
  queryOptions({
    queryKey: keys(org).contractPart(id, "inspection"),
    queryFn: ({ signal }) =>
      data(api.POST("/api/v1/contracts/inspect", { body: { chain, address }, signal })),
    staleTime: 300_000,
  });

export const accessQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: keys(org).contractPart(id, "access"),
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/contracts/{contract_id}/access", { params: path(id), signal })),
  });

export const chainsQuery = (org: string) =>
  queryOptions({
    queryKey: keys(org).chains,
    queryFn: ({ signal }) => data(api.GET("/api/v1/chains", { signal })),
    refetchInterval: 30_000,
  });

export const targetTypesQuery = queryOptions({
  queryKey: sharedKeys.targetTypes,
  queryFn: ({ signal }) => data(api.GET("/api/v1/target-types", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export type SeriesQuery = {
  from?: string;
  to?: string;
  aggregation?: NonNullable<Schemas["RuleCondition"]["aggregation"]>;
  window_seconds?: number;
};

export const seriesQuery = (org: string, target_id: string, query: SeriesQuery) =>
  queryOptions({
    queryKey: keys(org).series(target_id, query),
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/targets/{target_id}/series", { params: { path: { target_id }, query }, signal })),
  });

/** The page of an address or transaction in the chain's explorer. */
export function explorerLink(chain: Chain | undefined, kind: "address" | "tx", value: string): string | null {
  if (!chain?.explorer_url) return null;
  const url = new URL(chain.explorer_url);
  // Some explorers select the network with a query parameter, so the path is set instead of appended.
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${kind}/${value}`;
  return url.href;
}
