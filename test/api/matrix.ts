import type { Role, Tier } from "../../src/wire/primitives.ts";
import type { Harness, Person } from "../support/harness.ts";
import { freshAddress, ruleBody } from "./contracts/contract-steps.ts";
import { makeResources } from "./matrix-resources.ts";
import { unknownId } from "./steps.ts";

export type Params = Record<string, string>;

/**
 * The required role and tier of an operation, with a valid body and ids that exist in the admin's org. `unseen` is
 * the reply for a resource that the caller cannot see, 404 by default.
 */
export type Request = {
  role: Role;
  tier?: Tier;
  /**
   * The access of API keys. "session": none, it requires a session. "contract": depends on the contract of the
   * resource. "new": it creates a contract. "filtered": the reply contains only what is in scope. "discovery":
   * depends on the chains of the discovery. "visible": a resource that a scoped key does not see looks unknown. "unrelated":
   * independent of contracts. "org": it affects the whole org, so a scoped key is rejected.
   */
  keys: "session" | "contract" | "new" | "filtered" | "unrelated" | "org" | "discovery" | "visible";
  /**
   * The effect of access grants. "contract": the request names a contract, so hidden ones look unknown, and changes need
   * an editor. "filtered": the reply contains only visible contracts. "document": it may name any number of
   * contracts. "unrelated": none. By default it follows from `keys`, except for "org".
   */
  grants?: "contract" | "filtered" | "document" | "unrelated";
  body?: object | ((ids: Params) => object);
  query?: Params;
  /** Creates the resources that the request needs in a person's org, with contracts on the given chain. */
  ids?: (admin: Person, chain?: string) => Promise<Params>;
  unseen?: string;
  /** The reply in place of success, if the service of the tests lacks what the operation needs. */
  success?: string;
  /** Set if the operation only reads although its method is not GET. */
  isRead?: true;
};

/** Returns the effect of access grants on an operation; undefined if its row must declare it. */
export function grantsOf({ grants, keys }: Request): Request["grants"] {
  if (grants || keys === "org") return grants;
  if (keys === "visible") return "contract";
  return keys === "contract" || keys === "filtered" ? keys : "unrelated";
}

/**
 * Operations that end the org or the membership of the caller, on which other requests depend; test/api/orgs/leaving.test.ts
 * has them.
 */
export const endings = ["leaveOrg", "deleteOrg"];

/** Returns one row for every other operation on an org. */
export async function makeRequests(h: Harness): Promise<Record<string, Request>> {
  const {
    memberOf,
    inviteOf,
    contractOf,
    labelOf,
    grantOf,
    targetOf,
    ruleOf,
    eventOf,
    channelBody,
    channelTestBody,
    channelOf,
    numberOf,
    deliveryOf,
    policyBody,
    policyOf,
    silenceBody,
    silenceOf,
    feedOf,
    discoveryOf,
    keyOf,
  } = await makeResources(h);
  return {
    getOrg: { keys: "unrelated", role: "viewer" },
    updateOrg: { keys: "session", role: "admin", body: { name: "Renamed" } },
    switchOrg: { keys: "session", role: "viewer" },
    listMembers: { keys: "unrelated", role: "viewer" },
    updateMember: { keys: "session", role: "admin", body: { role: "viewer" }, ids: memberOf },
    removeMember: { keys: "session", role: "admin", ids: memberOf },
    getOrgSettings: { keys: "unrelated", role: "viewer" },
    updateOrgSettings: { keys: "session", role: "admin", body: { polling_interval_seconds: 120 } },
    createInvite: {
      keys: "session",
      role: "admin",
      tier: "team",
      body: { email: "invited@example.com", role: "viewer" },
    },
    listInvites: { keys: "session", role: "admin" },
    revokeInvite: { keys: "session", role: "admin", ids: inviteOf },
    listAuditLog: { keys: "session", role: "admin" },
    listContracts: { keys: "filtered", role: "viewer" },
    createContract: {
      keys: "new",
      role: "member",
      body: ({ chain = "local" }) => ({ chain, address: freshAddress() }),
    },
    bulkImportContracts: {
      keys: "new",
      role: "member",
      body: ({ chain = "local" }) => ({ contracts: [{ chain, address: freshAddress() }] }),
    },
    inspectContract: {
      keys: "new",
      role: "viewer",
      body: ({ chain = "local" }) => ({ chain, address: freshAddress() }),
      isRead: true,
    },
    analyseContract: { keys: "contract", role: "viewer", ids: contractOf },
    getProxyState: { keys: "contract", role: "viewer", ids: contractOf },
    getBridgeConfig: { keys: "contract", role: "viewer", ids: contractOf },
    importFromDefender: {
      keys: "org",
      grants: "document",
      role: "member",
      body: () => ({
        export: [
          { name: "Any", network: "local", addressRules: [{ addresses: [freshAddress()], conditions: [] }] },
        ],
      }),
    },
    getContract: { keys: "contract", role: "viewer", ids: contractOf },
    updateContract: { keys: "contract", role: "member", body: { label: "Vault" }, ids: contractOf },
    deleteContract: { keys: "contract", role: "member", ids: contractOf },
    pauseContract: { keys: "contract", role: "member", ids: contractOf },
    resumeContract: { keys: "contract", role: "member", ids: contractOf },
    getLiveMetrics: { keys: "contract", role: "viewer", ids: contractOf },
    listLabels: { keys: "contract", role: "viewer", ids: contractOf },
    createLabel: { keys: "contract", role: "member", body: { value: "treasury" }, ids: contractOf },
    replaceLabels: {
      keys: "contract",
      role: "member",
      body: { labels: [{ value: "treasury" }] },
      ids: contractOf,
    },
    deleteLabel: { keys: "contract", role: "member", ids: labelOf },
    listContractAccess: { keys: "contract", role: "viewer", ids: contractOf },
    grantContractAccess: {
      keys: "session",
      grants: "contract",
      role: "admin",
      body: ({ user_id = unknownId }) => ({ user_id, role: "viewer" }),
      ids: async (person, chain) => ({ ...(await contractOf(person, chain)), user_id: person.user.id }),
    },
    revokeContractAccess: { keys: "session", grants: "contract", role: "admin", ids: grantOf },
    listTargets: { keys: "contract", role: "viewer", ids: contractOf },
    createTarget: { keys: "contract", role: "member", body: { target_type: "tx_rate" }, ids: contractOf },
    getTarget: { keys: "contract", role: "viewer", ids: targetOf },
    getTargetSeries: { keys: "contract", role: "viewer", ids: targetOf },
    updateTarget: { keys: "contract", role: "member", body: { name: "Traffic" }, ids: targetOf },
    deleteTarget: { keys: "contract", role: "member", ids: targetOf },
    listAlertTemplates: {
      keys: "contract",
      role: "viewer",
      query: { category: "governance" },
      ids: contractOf,
    },
    applyAlertTemplates: {
      keys: "contract",
      role: "member",
      body: ({ channel_id = unknownId }) => ({ category: "governance", channel_id }),
      ids: async (person, chain) => ({ ...(await contractOf(person, chain)), ...(await channelOf(person)) }),
    },
    createAlertRule: {
      keys: "contract",
      role: "member",
      body: ({ target_id = unknownId }) => ruleBody(target_id),
      ids: targetOf,
      unseen: "422",
    },
    backtestAlertRule: {
      keys: "contract",
      role: "member",
      body: ({ target_id = unknownId }) => ({ target_id, condition: { operator: "gt", threshold: 1 } }),
      ids: targetOf,
      isRead: true,
    },
    previewAlertMessages: {
      keys: "contract",
      role: "member",
      body: ({ target_id = unknownId }) => ({
        target_id,
        severity: "info",
        condition: { operator: "gt", threshold: 1 },
      }),
      ids: targetOf,
      isRead: true,
    },
    listAlertRules: { keys: "filtered", role: "viewer" },
    listAlertHistory: { keys: "filtered", role: "viewer" },
    exportAlertHistory: { keys: "filtered", role: "viewer" },
    getAlertRule: { keys: "contract", role: "viewer", ids: ruleOf },
    updateAlertRule: { keys: "contract", role: "member", body: { name: "Louder" }, ids: ruleOf },
    deleteAlertRule: { keys: "contract", role: "member", ids: ruleOf },
    testAlertRule: { keys: "contract", role: "member", ids: ruleOf },
    listAlertRuleHistory: { keys: "contract", role: "viewer", ids: ruleOf },
    listChannels: { keys: "unrelated", role: "viewer" },
    createChannel: { keys: "org", grants: "unrelated", role: "member", body: channelBody },
    getChannel: { keys: "unrelated", role: "viewer", ids: channelOf },
    testNewChannel: {
      ...{ keys: "org", grants: "unrelated", role: "member" },
      body: channelTestBody,
    },
    updateChannel: {
      keys: "org",
      grants: "unrelated",
      role: "member",
      body: { name: "Renamed" },
      ids: channelOf,
    },
    deleteChannel: { keys: "org", grants: "unrelated", role: "member", ids: channelOf },
    testChannel: { keys: "org", grants: "unrelated", role: "member", ids: channelOf },
    listSmsNumbers: { keys: "unrelated", role: "viewer" },
    // The prefix is allowed, so no message is sent; test/api/channels/sms-numbers.test.ts has the codes.
    requestSmsCode: { keys: "session", role: "admin", body: { phone: "+15551234567" } },
    confirmSmsNumber: { keys: "session", role: "admin", body: { code: "123456" }, ids: numberOf },
    deleteSmsNumber: { keys: "session", role: "admin", ids: numberOf },
    exportConfig: { keys: "org", grants: "filtered", role: "viewer" },
    applyConfig: { keys: "org", grants: "document", role: "member", body: { version: 1 } },
    listDeliveries: { keys: "filtered", role: "viewer" },
    replayDelivery: { keys: "org", grants: "contract", role: "member", ids: deliveryOf },
    getDemo: { keys: "session", role: "viewer" },
    listDemoIncidents: { keys: "session", role: "viewer", query: { block: "1" } },
    // test/api/contracts/demo.test.ts has a service with the demo chain.
    startDemo: { keys: "session", role: "member", success: "409 conflict" },
    removeDemo: { keys: "session", role: "admin" },
    getInbox: { keys: "filtered", role: "viewer" },
    markInboxRead: { keys: "session", role: "viewer", body: { until: "2026-11-15T09:30:00.000Z" } },
    listSilences: { keys: "filtered", role: "viewer" },
    createSilence: {
      keys: "contract",
      role: "member",
      body: ({ contract_id = unknownId }) => ({ ...silenceBody, contract_id }),
      ids: contractOf,
      unseen: "422",
    },
    getSilence: { keys: "visible", role: "viewer", ids: silenceOf },
    updateSilence: {
      ...{ keys: "org", grants: "contract", role: "member", ids: silenceOf },
      body: { reason: "Longer than planned" },
    },
    deleteSilence: { keys: "org", grants: "contract", role: "member", ids: silenceOf },
    // test/api/policies/grants.test.ts has policies on restricted contracts.
    listPolicies: { keys: "org", grants: "filtered", role: "viewer" },
    createPolicy: { keys: "org", grants: "unrelated", role: "member", body: policyBody },
    getPolicy: { keys: "org", grants: "unrelated", role: "viewer", ids: policyOf },
    updatePolicy: {
      ...{ keys: "org", grants: "unrelated", role: "member", ids: policyOf },
      body: { is_enabled: false },
    },
    deletePolicy: { keys: "org", grants: "unrelated", role: "member", ids: policyOf },
    getAlertEvent: { keys: "contract", role: "viewer", ids: eventOf },
    acknowledgeAlertEvents: {
      keys: "contract",
      role: "member",
      body: ({ event_id = unknownId }) => ({ event_ids: [event_id] }),
      ids: eventOf,
      unseen: "422",
    },
    acknowledgeAlertEvent: { keys: "contract", role: "member", ids: eventOf },
    listDiscoveryChains: { keys: "unrelated", role: "viewer" },
    listWalletDiscoveries: { keys: "filtered", grants: "unrelated", role: "viewer" },
    startWalletDiscovery: {
      keys: "new",
      role: "member",
      body: ({ chain = "local" }) => ({
        wallet_address: freshAddress(),
        chain_ids: [chain === "local" ? 31337 : 1],
      }),
    },
    getWalletDiscovery: { keys: "discovery", role: "viewer", ids: discoveryOf },
    deleteWalletDiscovery: { keys: "discovery", role: "member", ids: discoveryOf },
    importWalletDiscovery: {
      keys: "discovery",
      role: "member",
      body: ({ chain = "local" }) => ({
        addresses: [{ address: freshAddress(), chain_id: chain === "local" ? 31337 : 1 }],
      }),
      ids: discoveryOf,
    },
    listOracleFeeds: { keys: "filtered", role: "viewer" },
    getOraclePrices: { keys: "contract", role: "viewer", ids: feedOf },
    getAnomalies: { keys: "filtered", role: "viewer" },
    listNoisyRules: { keys: "filtered", role: "viewer" },
    getActivity: { keys: "filtered", role: "viewer" },
    getDashboardStats: { keys: "filtered", role: "viewer" },
    listApiKeys: { keys: "session", role: "viewer" },
    createApiKey: { keys: "session", role: "admin", tier: "pro", body: { name: "CI" } },
    getApiKey: { keys: "session", role: "viewer", ids: keyOf },
    updateApiKey: { keys: "session", role: "admin", body: { name: "Renamed" }, ids: keyOf },
    revokeApiKey: { keys: "session", role: "admin", ids: keyOf },
    regenerateApiKey: { keys: "session", role: "admin", tier: "pro", ids: keyOf },
    getApiKeyUsageSummary: { keys: "session", role: "viewer" },
    getApiKeyUsage: { keys: "session", role: "viewer", ids: keyOf },
    startCheckout: { keys: "session", role: "admin", body: { tier: "pro" } },
    openBillingPortal: { keys: "session", role: "admin" },
    listInvoices: { keys: "session", role: "viewer" },
    getSubscription: { keys: "session", role: "viewer" },
  };
}
