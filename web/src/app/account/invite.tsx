import { AccountFrame, TextLink } from "@/app/account/frame.tsx";
import { LinkAction, usePreview } from "@/app/account/link-action.tsx";
import { ApiError, api, data, type Schemas } from "@/lib/api.ts";
import { buttonClass } from "@/ui/button.tsx";
import { Facts } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";

/** Undefined if nobody is logged in. */
async function findMe(): Promise<Schemas["User"] | undefined> {
  try {
    return await data(api.GET("/api/v1/auth/me"));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined;
    throw error;
  }
}

export function Invite({ token }: { token: string }) {
  const { preview: loaded, error } = usePreview(async () => ({
    invite: await data(api.GET("/api/v1/invites/{token}", { params: { path: { token } } })),
    me: await findMe(),
  }));
  return (
    <AccountFrame title="Invitation">
      {error !== undefined && <ErrorText error={error} />}
      {loaded && (
        <>
          <Facts
            rows={[
              ["Organisation", loaded.invite.org_name],
              ["From", loaded.invite.invited_by],
              ["For", loaded.invite.email],
              ["Role", loaded.invite.role],
            ]}
          />
          <NextStep token={token} {...loaded} />
        </>
      )}
    </AccountFrame>
  );
}

/** What the visitor can do depends on who is logged in. An invite is never accepted for another account. */
function NextStep({
  token,
  invite,
  me,
}: {
  token: string;
  invite: Schemas["InvitePreview"];
  me: Schemas["User"] | undefined;
}) {
  const nextParameter = `next=${encodeURIComponent(`/links/invite#${token}`)}`;
  if (invite.status !== "pending")
    return (
      <p>
        This invitation is {invite.status}. Ask {invite.invited_by} for a new one.
      </p>
    );
  if (!me)
    return (
      <div className="flex flex-wrap gap-2">
        <a
          className={buttonClass("primary")}
          href={`/signup?email=${encodeURIComponent(invite.email)}&${nextParameter}`}
        >
          Create an account
        </a>
        <a className={buttonClass()} href={`/login?${nextParameter}`}>
          Log in
        </a>
      </div>
    );
  if (me.email.toLowerCase() !== invite.email.toLowerCase())
    return (
      <>
        <p>
          You are logged in as <b>{me.email}</b>, but the invitation is for <b>{invite.email}</b>.
        </p>
        <LinkAction
          label="Log out and continue"
          onPress={async () => {
            await api.POST("/api/v1/auth/logout");
            location.assign(`/login?${nextParameter}`);
          }}
          done={null}
        />
      </>
    );
  return (
    <LinkAction
      label="Accept"
      onPress={() => api.POST("/api/v1/invites/{token}/accept", { params: { path: { token } } })}
      done={
        <p>
          You are now a member of {invite.org_name}. <TextLink href="/">Open the dashboard</TextLink>
        </p>
      }
    />
  );
}
