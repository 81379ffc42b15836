import { AccountFrame, TextLink } from "@/app/account/frame.tsx";
import { LinkAction } from "@/app/account/link-action.tsx";
import { api } from "@/lib/api.ts";

export function VerifyEmail({ token }: { token: string }) {
  return (
    <AccountFrame title="Confirm your e-mail address">
      <LinkAction
        label="Confirm address"
        onPress={() => api.GET("/api/v1/auth/verify-email", { params: { query: { token } } })}
        done={
          <p>
            Your address is confirmed. <TextLink href="/">Open the dashboard</TextLink>
          </p>
        }
      />
      <p className="text-sm text-muted">
        A link works for 24 hours. The dashboard can <TextLink href="/">send a new one</TextLink>.
      </p>
    </AccountFrame>
  );
}
