import { AccountFrame } from "@/app/account/frame.tsx";
import { LinkAction, usePreview } from "@/app/account/link-action.tsx";
import { api, data } from "@/lib/api.ts";
import { Facts } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { Time } from "@/ui/time.tsx";

export function ApproveSignup({ token }: { token: string }) {
  const params = { path: { token } };
  const { preview, error } = usePreview(() => data(api.GET("/api/v1/signup-approvals/{token}", { params })));
  return (
    <AccountFrame title="Request for an account">
      {error !== undefined && <ErrorText error={error} />}
      {preview && (
        <>
          <Facts
            rows={[
              ["Name", preview.name],
              ["Address", preview.email],
              ["Organisation", preview.org_name],
              ["Requested", <Time key="at" at={preview.requested_at} isAbsolute />],
            ]}
          />
          <LinkAction
            label="Approve"
            onPress={() => api.POST("/api/v1/signup-approvals/{token}/approve", { params })}
            done={<p>Approved. The applicant is notified by mail.</p>}
          />
        </>
      )}
    </AccountFrame>
  );
}
