import { queryOptions } from "@tanstack/react-query";
import { ApiError, api, data } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";

export const statsQuery = (org: string) =>
  queryOptions({
    queryKey: keys(org).stats,
    queryFn: ({ signal }) => data(api.GET("/api/v1/dashboard/stats", { signal })),
  });

/** What people changed. Only admins may read it; for others it is undefined. */
export const auditQuery = (org: string) =>
  queryOptions({
    queryKey: keys(org).audit,
    queryFn: async ({ signal }) => {
      try {
        return await data(api.GET("/api/v1/audit-log", { params: { query: { limit: 20 } }, signal }));
      } catch (error) {
        if (error instanceof ApiError && error.status === 403) return [];
        throw error;
      }
    },
  });

export const membersQuery = (org: string) =>
  queryOptions({
    queryKey: keys(org).members,
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/orgs/{org_id}/members", { params: { path: { org_id: org } }, signal })),
  });
