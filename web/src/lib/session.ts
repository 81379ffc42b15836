import { queryOptions } from "@tanstack/react-query";
import { createContext, use } from "react";
import { ApiError, api, data, type Schemas } from "@/lib/api.ts";
import { sharedKeys } from "@/lib/keys.ts";

export type Session = {
  user: Schemas["User"];
  /** The active organisation, which every request acts on. */
  org: Schemas["OrgSummary"];
};

export const meQuery = queryOptions({
  queryKey: sharedKeys.me,
  queryFn: ({ signal }) => data(api.GET("/api/v1/auth/me", { signal })),
});

export const orgsQuery = queryOptions({
  queryKey: sharedKeys.orgs,
  queryFn: ({ signal }) => data(api.GET("/api/v1/orgs", { signal })),
});

const SessionContext = createContext<Session | undefined>(undefined);
export const SessionProvider = SessionContext.Provider;

/** Who is logged in, and for which organisation. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("There is no session here.");
  return session;
}

export const useOrg = (): string => useSession().org.id;
/** Viewers read; members and admins change. */
export const useCanEdit = (): boolean => useSession().org.role !== "viewer";

/** Opens the log-in page and returns here afterwards. */
export function goToLogIn(): void {
  const here = `${location.pathname}${location.search}${location.hash}`;
  location.replace(here === "/" ? "/login" : `/login?next=${encodeURIComponent(here)}`);
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
