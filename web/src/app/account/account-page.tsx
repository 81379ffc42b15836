import type { ComponentType } from "react";
import { ApproveSignup } from "@/app/account/approve-signup.tsx";
import { ConfirmRecipient } from "@/app/account/confirm-recipient.tsx";
import { ForgotPassword } from "@/app/account/forgot-password.tsx";
import { AccountFrame } from "@/app/account/frame.tsx";
import { Invite } from "@/app/account/invite.tsx";
import { LogIn } from "@/app/account/log-in.tsx";
import { ResetPassword } from "@/app/account/reset-password.tsx";
import { SignUp } from "@/app/account/sign-up.tsx";
import { VerifyEmail } from "@/app/account/verify-email.tsx";

const forms: Record<string, ComponentType> = {
  "/login": LogIn,
  "/signup": SignUp,
  "/forgot-password": ForgotPassword,
};

/** Pages that mails link to. The token is in the fragment, so no server and no proxy logs it. */
const links: Record<string, ComponentType<{ token: string }>> = {
  "/links/verify-email": VerifyEmail,
  "/links/reset-password": ResetPassword,
  "/links/invite": Invite,
  "/links/confirm-recipient": ConfirmRecipient,
  "/links/approve-signup": ApproveSignup,
};

/** The account pages: they need neither a session nor the router, so they load fast. */
export function AccountPage({ path }: { path: string }) {
  const Form = forms[path];
  if (Form) return <Form />;
  const Link = links[path];
  const token = location.hash.slice(1);
  if (Link && token) return <Link token={token} />;
  return (
    <AccountFrame title={Link ? "Incomplete link" : "Not found"}>
      <p>{Link ? "This link is incomplete. Open it again from the mail." : "This page does not exist."}</p>
      <p>
        <a className="text-accent underline" href="/">
          Go to the dashboard
        </a>
      </p>
    </AccountFrame>
  );
}
