import { AccountFrame } from "@/app/account/frame.tsx";
import { LinkAction, usePreview } from "@/app/account/link-action.tsx";
import { api, data } from "@/lib/api.ts";
import { Facts } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";

/** A person outside the organisation decides whether to get its alerts. */
export function ConfirmRecipient({ token }: { token: string }) {
  const params = { path: { token } };
  const { preview, error } = usePreview(() =>
    data(api.GET("/api/v1/channel-recipients/{token}", { params })),
  );
  const outcome = preview && (
    <p>
      Alerts of {preview.org_name} are sent to {preview.email}.
    </p>
  );
  return (
    <AccountFrame title="Alerts by e-mail">
      {error !== undefined && <ErrorText error={error} />}
      {preview && (
        <Facts
          rows={[
            ["Organisation", preview.org_name],
            ["Address", preview.email],
          ]}
        />
      )}
      {preview?.is_confirmed && outcome}
      {preview && !preview.is_confirmed && (
        <LinkAction
          label="Receive alerts"
          onPress={() => api.POST("/api/v1/channel-recipients/{token}/confirm", { params })}
          done={outcome}
        />
      )}
    </AccountFrame>
  );
}
