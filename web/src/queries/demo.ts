import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";

export const demoQuery = (org: string) =>
  queryOptions({
    queryKey: keys(org).demo,
    queryFn: ({ signal }) => data(api.GET("/api/v1/demo", { signal })),
  });
