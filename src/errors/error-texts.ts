import type { ErrorCode } from "./app-error.ts";

/** What each error code means and what to do about it, for the pages under `/docs/errors`. */
export const errorTexts: Record<ErrorCode, { meaning: string; remedy: string }> = {
  bad_request: {
    meaning: "The request could not be understood.",
    remedy: "Correct what the message names, and send it again.",
  },
  invalid_token: {
    meaning: "The token of a mailed link is unknown, used or expired.",
    remedy: "Request a new mail and open its link.",
  },
  wrong_password: {
    meaning: "The current password does not match.",
    remedy: "Enter the password of the account, or reset it. Failures count as failed log-ins.",
  },
  weak_password: {
    meaning: "The new password is too short, too common or part of the address.",
    remedy: "Choose another of at least 12 characters.",
  },
  channel_test_failed: {
    meaning: "The provider of the channel did not accept the test message.",
    remedy: "Read the reply of the provider in the message, correct the config and test again.",
  },
  invalid_signature: {
    meaning: "The signature of an inbound webhook does not match.",
    remedy: "Compare the secret in the settings of the service with that of the sender.",
  },
  invalid_code: {
    meaning: "The code of a text message is wrong.",
    remedy: "Enter the newest code, or request another.",
  },
  unauthenticated: {
    meaning: "The request has no session and no API key.",
    remedy: "Log in, or send `Authorization: Bearer <key>`.",
  },
  invalid_credentials: {
    meaning: "The e-mail address or the password is wrong.",
    remedy: "Check both, or reset the password.",
  },
  session_expired: {
    meaning: "The session has ended or expired.",
    remedy: "Log in again.",
  },
  api_key_missing: {
    meaning: "The Authorization header has no API key.",
    remedy: "Send `Authorization: Bearer <key>`.",
  },
  api_key_invalid: {
    meaning: "No such API key exists.",
    remedy: "Check that the key is complete, or create a new one.",
  },
  api_key_revoked: {
    meaning: "The API key was revoked or replaced.",
    remedy: "Use the new key, or create one.",
  },
  api_key_expired: {
    meaning: "The API key has passed its expiry.",
    remedy: "Create a new key.",
  },
  admin_required: {
    meaning: "The operation is for admins of the organisation.",
    remedy: "Ask an admin to do it, or to change your role.",
  },
  role_required: {
    meaning: "Your role, or your access to the contract, is read-only.",
    remedy: "Ask an admin for the role `member`, or for the access `editor` to the contract.",
  },
  tier_required: {
    meaning: "The operation is part of a higher tier.",
    remedy: "Upgrade the organisation.",
  },
  quota_exceeded: {
    meaning: "The limit of the tier, or of the service, is reached.",
    remedy: "Delete what is not needed, or upgrade the organisation.",
  },
  csrf: {
    meaning: "A change with a session cookie came from another site.",
    remedy: "Send it from the dashboard, or use an API key.",
  },
  verification_required: {
    meaning: "The operation sends messages, and the address of the account is not verified.",
    remedy: "Open the link in the verification mail; `POST /auth/resend-verification` sends another.",
  },
  session_required: {
    meaning: "The operation concerns people, keys or billing, which API keys may not manage.",
    remedy: "Log in instead of using a key.",
  },
  read_only_key: {
    meaning: "The API key may only read.",
    remedy: "Use a key with the scope `read_write`.",
  },
  out_of_scope: {
    meaning: "The API key is restricted to other contracts or chains.",
    remedy: "Use a key whose scope includes the resource.",
  },
  no_active_org: {
    meaning: "You belong to no organisation, or have none selected.",
    remedy: "Create an organisation, or switch to one.",
  },
  approval_pending: {
    meaning: "The operator has not approved the account yet.",
    remedy: "Wait for the mail that confirms the approval.",
  },
  signup_rejected: {
    meaning: "The operator rejected the sign-up.",
    remedy: "Ask the operator of the service.",
  },
  signup_closed: {
    meaning: "This service does not accept new accounts.",
    remedy: "Sign up through the link of an invite, or ask the operator for an account.",
  },
  invite_email_mismatch: {
    meaning: "The invite is for another e-mail address.",
    remedy: "Log in with the invited address, or ask for another invite.",
  },
  webhook_refused: {
    meaning: "An inbound webhook is not allowed to call the service.",
    remedy: "Compare its settings with those of the service.",
  },
  not_found: {
    meaning: "The resource does not exist, or you cannot see it.",
    remedy: "Check the id, and that the right organisation is active.",
  },
  method_not_allowed: {
    meaning: "The path exists, but does not support the method.",
    remedy: "Use one of the methods in the `Allow` header.",
  },
  request_timeout: {
    meaning: "The request took too long to arrive.",
    remedy: "Send it again, over a faster connection or in parts.",
  },
  conflict: {
    meaning: "The request conflicts with the current state or with a concurrent change.",
    remedy: "Read the resource again, and repeat the request if it still applies.",
  },
  email_taken: {
    meaning: "An account with this e-mail address exists.",
    remedy: "Log in, or reset the password.",
  },
  contract_exists: {
    meaning: "The organisation already monitors this address on this chain.",
    remedy: "Change the existing contract instead.",
  },
  channel_in_use: {
    meaning: "Some rules have no channel other than the one to delete.",
    remedy: "Move the rules with `replace_with`, or leave them record-only with `force=true`.",
  },
  target_in_use: {
    meaning: "Rules on other targets, or policies, depend on the target.",
    remedy: "Change the rules that the message names first.",
  },
  target_exists: {
    meaning: "The contract has a target of this type with another config, and can have only one.",
    remedy: "Change the config of the target that the message names with `PATCH /targets/{target_id}`.",
  },
  managed_by_policy: {
    meaning: "A policy manages the rule or target.",
    remedy: "Change the policy instead.",
  },
  policy_exists: {
    meaning: "A policy with this name exists.",
    remedy: "Choose another name, or change the existing policy.",
  },
  label_exists: {
    meaning: "The contract already has this label.",
    remedy: "Nothing needs to be done, or choose another value.",
  },
  already_member: {
    meaning: "The person is already a member.",
    remedy: "Change their role instead.",
  },
  already_invited: {
    meaning: "An invite to this address is pending.",
    remedy: "Revoke it to send another.",
  },
  already_subscribed: {
    meaning: "The organisation already has a subscription.",
    remedy: "Change it in the billing portal.",
  },
  api_key_inactive: {
    meaning: "The API key was revoked or has expired.",
    remedy: "Create a new key.",
  },
  last_admin: {
    meaning: "Without this person, the organisation would have no admin.",
    remedy: "Make another member an admin first, or delete the organisation.",
  },
  subscription_active: {
    meaning: "The organisation has a subscription that would still be charged.",
    remedy: "Cancel it in the billing portal first.",
  },
  delivery_in_progress: {
    meaning: "The delivery is queued or being sent.",
    remedy: "Wait for its result before you replay it.",
  },
  idempotency_in_progress: {
    meaning: "A request with the same Idempotency-Key is running.",
    remedy: "Repeat the request in a moment to get its result.",
  },
  idempotency_key_reused: {
    meaning: "The Idempotency-Key belongs to another request.",
    remedy: "Use a new key for a new request.",
  },
  shown_once: {
    meaning: "The first reply to this Idempotency-Key contained a secret, which is not shown again.",
    remedy: "Regenerate the secret with a new key.",
  },
  link_used: {
    meaning: "The link was used or revoked.",
    remedy: "Request a new one.",
  },
  link_expired: {
    meaning: "The link is invalid or has expired.",
    remedy: "Request a new one.",
  },
  code_expired: {
    meaning: "The code of a text message has expired.",
    remedy: "Request another.",
  },
  payload_too_large: {
    meaning: "The body exceeds the limit of the operation.",
    remedy: "Send less at once.",
  },
  uri_too_long: {
    meaning: "The path or the query is too long.",
    remedy: "Shorten it.",
  },
  unsupported_media_type: {
    meaning: "The operation does not accept the media type of the body.",
    remedy: "Send JSON with `Content-Type: application/json`.",
  },
  rate_limited: {
    meaning: "Too many requests or attempts in a short time.",
    remedy: "Wait for the number of seconds in `Retry-After`. `RateLimit-Policy` shows the limit.",
  },
  org_busy: {
    meaning: "Too many expensive requests of the organisation run at once.",
    remedy: "Wait for the number of seconds in `Retry-After`, and send fewer at a time.",
  },
  headers_too_large: {
    meaning: "The headers of the request are too large.",
    remedy: "Send fewer or shorter headers.",
  },
  internal: {
    meaning: "The service failed and logged the cause.",
    remedy: "Try again later. If it persists, send the `X-Request-Id` to the operator.",
  },
  unavailable: {
    meaning: "The service or its database is temporarily unavailable.",
    remedy: "Wait for the number of seconds in `Retry-After`, then try again.",
  },
  chain_unavailable: {
    meaning: "The nodes of the chain did not answer.",
    remedy: "Try again later; `GET /chains` shows the state of the chain.",
  },
  billing_not_configured: {
    meaning: "This service has no payment processor.",
    remedy: "Ask the operator to set the tier.",
  },
  billing_unavailable: {
    meaning: "The payment processor did not answer.",
    remedy: "Try again later.",
  },
  sms_not_configured: {
    meaning: "This service cannot send text messages.",
    remedy: "Ask the operator to configure a provider, or use another type of channel.",
  },
};
