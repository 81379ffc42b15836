import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";

export const demoQuery = (org: string) =>
  queryOptions({
    queryKey: keys(org).demo,
    queryFn: ({ signal }) => data(api.GET("/api/v1/demo", { signal })),
  });

export const demoIncidentsQuery = (org: string, block: number) =>
  queryOptions({
    queryKey: keys(org).demoIncidents(block),
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/demo/incidents", { params: { query: { block } }, signal })),
  });
