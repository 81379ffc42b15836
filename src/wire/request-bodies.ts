import type { z } from "zod";
import { AdminChainUpdate, AdminOrgUpdate } from "./accounts/admin.ts";
import {
  AccountDelete,
  ForgotPassword,
  LogIn,
  PasswordChange,
  ProfileUpdate,
  ResetPassword,
  SignUp,
  ThemeUpdate,
} from "./accounts/auth.ts";
import { EventsAcknowledge } from "./alerts/alert-events.ts";
import { TemplatesApply } from "./alerts/alert-templates.ts";
import { PreviewRequest } from "./alerts/message-preview.ts";
import { PolicyCreate, PolicyUpdate } from "./alerts/policies.ts";
import { RuleCreate, RuleUpdate } from "./alerts/rules.ts";
import { SilenceCreate, SilenceUpdate } from "./alerts/silences.ts";
import { CheckoutCreate } from "./billing/billing.ts";
import { ChannelCreate, ChannelTest, ChannelUpdate } from "./channels/channels.ts";
import { InboxRead } from "./channels/inbox.ts";
import { SmsCode, SmsNumberCreate } from "./channels/sms-numbers.ts";
import {
  ContractCreate,
  ContractUpdate,
  GrantCreate,
  LabelCreate,
  LabelsReplace,
} from "./contracts/contracts.ts";
import { BacktestRequest } from "./contracts/live-metrics.ts";
import { TargetCreate, TargetUpdate } from "./contracts/targets.ts";
import { BulkImport } from "./imports/bulk-import.ts";
import { ConfigApply } from "./imports/configuration.ts";
import { DefenderImport } from "./imports/defender-import.ts";
import { DiscoveryCreate, DiscoveryImport } from "./imports/discoveries.ts";
import { InspectRequest } from "./inspection/inspection.ts";
import { ApiKeyCreate, ApiKeyUpdate } from "./orgs/api-keys.ts";
import { InviteCreate } from "./orgs/invites.ts";
import { MemberUpdate, OrgCreate, OrgSettingsUpdate, OrgUpdate } from "./orgs/orgs.ts";

/** Every request body by name, because a schema cannot be sent to a thread: a large body is validated in one. */
export const requestBodies = {
  AccountDelete,
  AdminChainUpdate,
  AdminOrgUpdate,
  ApiKeyCreate,
  ApiKeyUpdate,
  BacktestRequest,
  BulkImport,
  ChannelCreate,
  ChannelTest,
  ChannelUpdate,
  CheckoutCreate,
  ConfigApply,
  ContractCreate,
  ContractUpdate,
  DefenderImport,
  DiscoveryCreate,
  DiscoveryImport,
  EventsAcknowledge,
  ForgotPassword,
  GrantCreate,
  InboxRead,
  InspectRequest,
  InviteCreate,
  LabelCreate,
  LabelsReplace,
  LogIn,
  MemberUpdate,
  OrgCreate,
  OrgSettingsUpdate,
  OrgUpdate,
  PasswordChange,
  PolicyCreate,
  PolicyUpdate,
  PreviewRequest,
  ProfileUpdate,
  ResetPassword,
  RuleCreate,
  RuleUpdate,
  SignUp,
  SilenceCreate,
  SilenceUpdate,
  SmsCode,
  SmsNumberCreate,
  TargetCreate,
  TargetUpdate,
  TemplatesApply,
  ThemeUpdate,
} satisfies Record<string, z.ZodType>;

export type RequestBodyName = keyof typeof requestBodies;
