import { useQuery, useQueryErrorResetBoundary } from "@tanstack/react-query";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { switchOrg } from "@/app/shell/switch-org.ts";
import { ApiError } from "@/lib/api.ts";
import { goToLogIn, isSignedOut, orgsQuery, useSession } from "@/lib/session.ts";
import { Button } from "@/ui/button.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { Page } from "@/ui/page.tsx";

/** What a page shows when its data cannot be loaded. */
export function RouteError({ error }: ErrorComponentProps) {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const isOut = isSignedOut(error);
  useEffect(() => {
    if (isOut) goToLogIn();
  }, [isOut]);
  if (isOut) return null;
  if (error instanceof ApiError && error.status === 404) return <NotFound />;
  return (
    <Page title="This page could not be loaded">
      <ErrorText error={error} className="mb-3 max-w-xl" />
      <Button
        look="primary"
        onClick={() => {
          reset();
          void router.invalidate();
        }}
      >
        Try again
      </Button>
    </Page>
  );
}

/** A link can belong to another organisation of the same person, so it offers to switch. */
export function NotFound() {
  const { org } = useSession();
  const { data: orgs = [] } = useQuery(orgsQuery);
  const otherOrgs = orgs.filter(({ id }) => id !== org.id);
  return (
    <Page title="Not found">
      <p className="mb-3">
        There is nothing at this address in <b>{org.name}</b>. It may have been deleted.
      </p>
      {otherOrgs.length > 0 && (
        <div className="mb-3">
          <p className="mb-2">If the link belongs to another organisation of yours, switch to it:</p>
          <ul className="flex flex-wrap gap-2">
            {otherOrgs.map((other) => (
              <li key={other.id}>
                <Button onClick={() => void switchOrg(other.id, location.href)}>Open in {other.name}</Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Link to="/" className="text-accent underline">
        Go to the overview
      </Link>
    </Page>
  );
}
