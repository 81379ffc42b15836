import { queryOptions } from "@tanstack/react-query";
import { api, data, type Schemas } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";

export type Policy = Schemas["Policy"];

export const policiesQuery = (org: string) =>
  queryOptions({
    queryKey: keys(org).policies,
    queryFn: ({ signal }) => data(api.GET("/api/v1/policies", { signal })),
    // The progress of a policy is not announced on the stream.
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === "applying") ? 2_000 : false),
  });

export const policyQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...keys(org).policies, id],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/policies/{policy_id}", { params: { path: { policy_id: id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === "applying" ? 2_000 : false),
  });
