// Generated from the OpenAPI document by `npm run generate:api-types`. Do not edit.

export interface paths {
    "/api/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateMe"];
        trace?: never;
    };
    "/api/v1/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/delete-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["deleteAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me/theme": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["setTheme"];
        trace?: never;
    };
    "/api/v1/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["verifyEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/resend-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signup-approvals/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["previewSignupApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signup-approvals/{token}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approveSignup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOrgs"];
        put?: never;
        post: operations["createOrg"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrg"];
        put?: never;
        post?: never;
        delete: operations["deleteOrg"];
        options?: never;
        head?: never;
        patch: operations["updateOrg"];
        trace?: never;
    };
    "/api/v1/orgs/{org_id}/switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["switchOrg"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org_id}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["leaveOrg"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch: operations["updateMember"];
        trace?: never;
    };
    "/api/v1/orgs/{org_id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrgSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateOrgSettings"];
        trace?: never;
    };
    "/api/v1/orgs/{org_id}/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvites"];
        put?: never;
        post: operations["createInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org_id}/invites/{invite_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeInvite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invites/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["previewInvite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invites/{token}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["acceptInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeys"];
        put?: never;
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/api/v1/api-keys/{key_id}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["regenerateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/usage/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApiKeyUsageSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{key_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApiKeyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["startCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["openBillingPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveBillingEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDemo"];
        put?: never;
        post: operations["startDemo"];
        delete: operations["removeDemo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/demo/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDemoIncidents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listContracts"];
        put?: never;
        post: operations["createContract"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/bulk-import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["bulkImportContracts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/import-from-defender": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importFromDefender"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getContract"];
        put?: never;
        post?: never;
        delete: operations["deleteContract"];
        options?: never;
        head?: never;
        patch: operations["updateContract"];
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["pauseContract"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeContract"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}/live-metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLiveMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLabels"];
        put: operations["replaceLabels"];
        post: operations["createLabel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}/labels/{label_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteLabel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listContractAccess"];
        put?: never;
        post: operations["grantContractAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}/access/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeContractAccess"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["inspectContract"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}/analysis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["analyseContract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}/proxy-state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProxyState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}/bridge-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBridgeConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/target-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTargetTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTargets"];
        put?: never;
        post: operations["createTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/targets/{target_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTarget"];
        put?: never;
        post?: never;
        delete: operations["deleteTarget"];
        options?: never;
        head?: never;
        patch: operations["updateTarget"];
        trace?: never;
    };
    "/api/v1/targets/{target_id}/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTargetSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}/alert-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAlertTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{contract_id}/alert-templates/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["applyAlertTemplates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAlertRules"];
        put?: never;
        post: operations["createAlertRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAlertHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/history.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportAlertHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["backtestAlertRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewAlertMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{rule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAlertRule"];
        put?: never;
        post?: never;
        delete: operations["deleteAlertRule"];
        options?: never;
        head?: never;
        patch: operations["updateAlertRule"];
        trace?: never;
    };
    "/api/v1/alerts/{rule_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAlertRuleHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{rule_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testAlertRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/events/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["acknowledgeAlertEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAlertEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/events/{event_id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["acknowledgeAlertEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPolicies"];
        put?: never;
        post: operations["createPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/{policy_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPolicy"];
        put?: never;
        post?: never;
        delete: operations["deletePolicy"];
        options?: never;
        head?: never;
        patch: operations["updatePolicy"];
        trace?: never;
    };
    "/api/v1/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChannels"];
        put?: never;
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channel-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChannelTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channels/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testNewChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channels/{channel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChannel"];
        put?: never;
        post?: never;
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        patch: operations["updateChannel"];
        trace?: never;
    };
    "/api/v1/channel-recipients/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRecipient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channel-recipients/{token}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channels/{channel_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sms-numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSmsNumbers"];
        put?: never;
        post: operations["requestSmsCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sms-numbers/{number_id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmSmsNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sms-numbers/{number_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteSmsNumber"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["markInboxRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/silences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSilences"];
        put?: never;
        post: operations["createSilence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/silences/{silence_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSilence"];
        put?: never;
        post?: never;
        delete: operations["deleteSilence"];
        options?: never;
        head?: never;
        patch: operations["updateSilence"];
        trace?: never;
    };
    "/api/v1/wallet-discoveries/_chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDiscoveryChains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet-discoveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWalletDiscoveries"];
        put?: never;
        post: operations["startWalletDiscovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet-discoveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWalletDiscovery"];
        put?: never;
        post?: never;
        delete: operations["deleteWalletDiscovery"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet-discoveries/{id}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importWalletDiscovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/config/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["applyConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dashboard/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDashboardStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dashboard/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/oracle-feeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOracleFeeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/oracle-feeds/{contract_id}/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOraclePrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/anomalies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnomalies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/noisy-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listNoisyRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/helius": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveHeliusDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/twilio/opt-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    alert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Failure: {
            detail: string;
            /** @enum {string} */
            code: "bad_request" | "invalid_token" | "wrong_password" | "weak_password" | "channel_test_failed" | "invalid_signature" | "invalid_code" | "unauthenticated" | "invalid_credentials" | "session_expired" | "api_key_missing" | "api_key_invalid" | "api_key_revoked" | "api_key_expired" | "admin_required" | "role_required" | "tier_required" | "quota_exceeded" | "csrf" | "verification_required" | "session_required" | "read_only_key" | "out_of_scope" | "no_active_org" | "approval_pending" | "signup_rejected" | "signup_closed" | "invite_email_mismatch" | "webhook_refused" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "email_taken" | "contract_exists" | "channel_in_use" | "target_in_use" | "target_exists" | "managed_by_policy" | "policy_exists" | "label_exists" | "already_member" | "already_invited" | "already_subscribed" | "api_key_inactive" | "last_admin" | "subscription_active" | "delivery_in_progress" | "idempotency_in_progress" | "idempotency_key_reused" | "shown_once" | "link_used" | "link_expired" | "code_expired" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "rate_limited" | "org_busy" | "headers_too_large" | "internal" | "unavailable" | "chain_unavailable" | "billing_not_configured" | "billing_unavailable" | "sms_not_configured";
        };
        ValidationFailure: {
            detail: {
                loc: (string | number)[];
                msg: string;
                type: string;
            }[];
        };
        ServiceStatus: {
            /** @enum {string} */
            status: "ok" | "degraded" | "down";
            version: string;
            chains: {
                chain: string;
                chain_id: number;
                /** @enum {string} */
                state: "live" | "lagging" | "stalled" | "off" | "degraded";
                head_block: number | null;
                lag_seconds: number | null;
                detection: {
                    p50_ms: number | null;
                    p95_ms: number | null;
                };
            }[];
            delivery: {
                pending: number;
                p95_ms: number | null;
            };
            detection: {
                p50_ms: number | null;
                p95_ms: number | null;
            };
        };
        SignUp: {
            /** Format: email */
            email: string;
            password: string;
            name?: string;
            org_name?: string;
            invite_token?: string;
        };
        User: {
            /** Format: uuid */
            id: string;
            /** Format: email */
            email: string;
            name: string;
            /** @enum {string} */
            theme: "light" | "dark" | "system";
            is_verified: boolean;
            /** @enum {string} */
            status: "active" | "pending_approval" | "rejected";
            active_org_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        LogIn: {
            /** Format: email */
            email: string;
            password: string;
        };
        Ok: {
            /** @constant */
            ok: true;
        };
        ProfileUpdate: {
            name: string;
        };
        PasswordChange: {
            current_password: string;
            new_password: string;
        };
        Session: {
            /** Format: uuid */
            id: string;
            is_current: boolean;
            ip: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        AccountDelete: {
            password: string;
        };
        ThemeUpdate: {
            /** @enum {string} */
            theme: "light" | "dark" | "system";
        };
        ForgotPassword: {
            /** Format: email */
            email: string;
        };
        ResetPassword: {
            token: string;
            new_password: string;
        };
        SignupApproval: {
            /** Format: email */
            email: string;
            name: string;
            org_name: string;
            /** Format: date-time */
            requested_at: string;
            /** @enum {string} */
            status: "pending" | "approved" | "rejected";
        };
        OrgSummary: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            tier: "free" | "pro" | "team" | "enterprise";
            /** @enum {string} */
            role: "admin" | "member" | "viewer";
            /** Format: date-time */
            created_at: string;
        };
        OrgCreate: {
            name: string;
            business?: components["schemas"]["BusinessUpdate"];
        };
        BusinessUpdate: {
            legal_name?: string | null;
            website?: string | null;
            country?: string | null;
            tax_id?: string | null;
            address?: string | null;
            billing_email?: string | null;
        };
        Org: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            tier: "free" | "pro" | "team" | "enterprise";
            /** @enum {string} */
            role: "admin" | "member" | "viewer";
            /** Format: date-time */
            created_at: string;
            business: components["schemas"]["Business"];
        };
        Business: {
            legal_name: string | null;
            website: string | null;
            country: string | null;
            tax_id: string | null;
            address: string | null;
            billing_email: string | null;
        };
        OrgUpdate: {
            name?: string;
            business?: components["schemas"]["BusinessUpdate"];
        };
        Member: {
            /** Format: uuid */
            user_id: string;
            /** Format: email */
            email: string;
            name: string;
            /** @enum {string} */
            role: "admin" | "member" | "viewer";
            /** Format: date-time */
            joined_at: string;
        };
        MemberUpdate: {
            /** @enum {string} */
            role: "admin" | "member" | "viewer";
        };
        OrgSettings: {
            polling_interval_seconds: number;
            min_polling_interval_seconds: number;
            max_polling_interval_seconds: number;
        };
        OrgSettingsUpdate: {
            polling_interval_seconds: number;
        };
        InviteCreate: {
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "admin" | "member" | "viewer";
        };
        Invite: {
            /** Format: uuid */
            id: string;
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "admin" | "member" | "viewer";
            /** @enum {string} */
            status: "pending" | "accepted" | "revoked" | "expired";
            invited_by: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
            invite_url: string | null;
        };
        InvitePreview: {
            org_name: string;
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "admin" | "member" | "viewer";
            invited_by: string;
            /** Format: date-time */
            expires_at: string;
            /** @enum {string} */
            status: "pending" | "accepted" | "revoked" | "expired";
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            prefix: string;
            /** @enum {string} */
            scope: "read_only" | "read_write";
            contract_scope: string[] | null;
            chain_scope: number[] | null;
            expires_at: string | null;
            is_active: boolean;
            deactivated_at: string | null;
            last_used_at: string | null;
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ApiKeyCreate: {
            name: string;
            /**
             * @default read_write
             * @enum {string}
             */
            scope?: "read_only" | "read_write";
            contract_scope?: string[] | null;
            chain_scope?: number[] | null;
            expires_at?: string | null;
        };
        NewApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            prefix: string;
            /** @enum {string} */
            scope: "read_only" | "read_write";
            contract_scope: string[] | null;
            chain_scope: number[] | null;
            expires_at: string | null;
            is_active: boolean;
            deactivated_at: string | null;
            last_used_at: string | null;
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            key: string;
        };
        ApiKeyUpdate: {
            name: string;
        };
        ApiKeyUsageSummary: {
            days: {
                /** Format: date */
                date: string;
                requests: number;
                errors: number;
            }[];
            today: {
                /** Format: date */
                date: string;
                requests: number;
                errors: number;
            };
            keys: {
                /** Format: uuid */
                key_id: string;
                name: string;
                prefix: string;
                requests: number;
                errors: number;
            }[];
        };
        ApiKeyUsage: {
            /** Format: uuid */
            key_id: string;
            days: {
                /** Format: date */
                date: string;
                requests: number;
                errors: number;
            }[];
            today: {
                /** Format: date */
                date: string;
                requests: number;
                errors: number;
            };
        };
        CheckoutCreate: {
            /** @enum {string} */
            tier: "pro" | "team" | "enterprise";
        };
        Checkout: {
            url: string;
            session_id: string;
        };
        Portal: {
            url: string;
        };
        Invoice: {
            id: string;
            number: string | null;
            status: ("draft" | "open" | "paid" | "uncollectible" | "void") | null;
            amount_due: number;
            amount_paid: number;
            currency: string;
            hosted_invoice_url: string | null;
            pdf_url: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Subscription: {
            /** @enum {string} */
            tier: "free" | "pro" | "team" | "enterprise";
            /** @enum {string} */
            status: "incomplete" | "incomplete_expired" | "trialing" | "active" | "past_due" | "canceled" | "unpaid" | "paused";
            current_period_end: string | null;
            cancel_at_period_end: boolean;
        };
        BillingEvent: {
            id: string;
            type: string;
            livemode?: boolean;
            data: {
                object: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        Chain: {
            chain: string;
            chain_id: number;
            name: string;
            /** @enum {string} */
            kind: "evm" | "solana";
            native_currency: {
                name: string;
                symbol: string;
                decimals: number;
            };
            explorer_url: string | null;
            block_time_ms: number;
            finality_depth: number;
            is_testnet: boolean;
            /** @enum {string} */
            state: "live" | "lagging" | "stalled" | "off";
            head_block: number | null;
            lag_seconds: number | null;
            last_block_at: string | null;
            status_reason: string | null;
            reading: {
                /** @enum {string} */
                plan: "nothing" | "state" | "logs" | "blocks";
                poll_seconds: number;
                is_slowed: boolean;
                calls_per_day_estimate: number;
                calls_per_day_budget: number | null;
                calls: {
                    endpoint: number;
                    method: string;
                    today: number;
                    yesterday: number;
                }[];
            } | null;
            gaps: {
                from_block: number;
                to_block: number;
                /** Format: date-time */
                skipped_at: string;
            }[];
        };
        Demo: {
            is_available: boolean;
            contracts: number;
            channel_id: string | null;
        };
        DemoIncident: {
            title: string;
            text: string;
            from_block: number;
            to_block: number;
        };
        Contract: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            org_id: string;
            chain: string;
            chain_id: number;
            address: string;
            label: string;
            labels: components["schemas"]["Label"][];
            /** @enum {string} */
            status: "PENDING" | "MONITORING" | "PAUSED" | "ERROR";
            status_code: ("no_code" | "chain_disabled" | "suspended" | "resumed" | "unsupported_targets") | null;
            status_reason: string | null;
            /** @enum {string} */
            category: "lending" | "dex" | "bridge" | "oracle" | "governance" | "token" | "vault" | "proxy" | "safe" | "wallet" | "other";
            contract_type: string;
            is_proxy: boolean;
            implementation_address: string | null;
            is_verified: boolean | null;
            /** @enum {string} */
            abi_source: "upload" | "registry" | "bytecode" | "import" | "none";
            targets_count: number;
            rules_count: number;
            last_activity_at: string | null;
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Label: {
            /** Format: uuid */
            id: string;
            key: string | null;
            value: string;
            color: string | null;
            /** Format: date-time */
            created_at: string;
        };
        TxRateSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "tx_rate";
            config?: components["schemas"]["TxRateConfig"];
        };
        TxRateConfig: {
            /**
             * @default to
             * @enum {string}
             */
            direction?: "to" | "from" | "any";
            /** @default true */
            include_failed?: boolean;
        };
        RevertRateSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "revert_rate";
            config?: components["schemas"]["RevertRateConfig"];
        };
        RevertRateConfig: {
            /**
             * @default to
             * @enum {string}
             */
            direction?: "to" | "from" | "any";
            /** @default 5 */
            min_txs?: number;
        };
        UniqueCallersSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "unique_callers";
            config?: components["schemas"]["UniqueCallersConfig"];
        };
        UniqueCallersConfig: Record<string, never>;
        EventFrequencySelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "event_frequency";
            config: components["schemas"]["EventFrequencyConfig"];
        };
        EventFrequencyConfig: {
            event_signature: string;
            filter?: string;
        };
        EventValueSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "event_value";
            config: components["schemas"]["EventValueConfig"];
        };
        EventValueConfig: {
            event_signature: string;
            arg: string;
            /** @default 0 */
            decimals?: number;
        };
        FunctionCallRateSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "function_call_rate";
            config: components["schemas"]["FunctionCallRateConfig"];
        };
        FunctionCallRateConfig: {
            function_signature: string;
            filter?: string;
            /** @default false */
            internal?: boolean;
        };
        InactivitySelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "inactivity";
            config?: components["schemas"]["InactivityConfig"];
        };
        InactivityConfig: Record<string, never>;
        ActivityRhythmSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "activity_rhythm";
            config?: components["schemas"]["ActivityRhythmConfig"];
        };
        ActivityRhythmConfig: {
            /**
             * @default any
             * @enum {string}
             */
            direction?: "to" | "from" | "any";
        };
        NativeBalanceSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "native_balance";
            config?: components["schemas"]["NativeBalanceConfig"];
        };
        NativeBalanceConfig: Record<string, never>;
        TokenBalanceSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "token_balance";
            config: components["schemas"]["TokenBalanceConfig"];
        };
        TokenBalanceConfig: {
            token: string;
            holder?: string;
            decimals?: number;
        };
        TokenSupplySelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "token_supply";
            config?: components["schemas"]["TokenSupplyConfig"];
        };
        TokenSupplyConfig: {
            decimals?: number;
        };
        LargeTransferSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "large_transfer";
            config: components["schemas"]["LargeTransferConfig"];
        };
        LargeTransferConfig: {
            token?: string;
            /** @default false */
            native?: boolean;
            /**
             * @default any
             * @enum {string}
             */
            direction?: "in" | "out" | "any";
            /** @default 0 */
            min_amount?: number;
            decimals?: number;
        };
        GasUsageSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "gas_usage";
            config?: components["schemas"]["GasUsageConfig"];
        };
        GasUsageConfig: {
            /**
             * @default to
             * @enum {string}
             */
            direction?: "to" | "from" | "any";
        };
        ViewFunctionSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "view_function";
            config: components["schemas"]["ViewFunctionConfig"];
        };
        ViewFunctionConfig: {
            signature: string;
            /** @default [] */
            args?: unknown[];
            /** @default 0 */
            output_index?: number;
            /** @default 0 */
            decimals?: number;
        };
        StorageSlotSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "storage_slot";
            config: components["schemas"]["StorageSlotConfig"];
        };
        StorageSlotConfig: {
            slot: string | number;
            /**
             * @default uint
             * @enum {string}
             */
            as?: "uint" | "address" | "bytes32";
        };
        ProxyImplementationSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "proxy_implementation";
            config?: components["schemas"]["ProxyImplementationConfig"];
        };
        ProxyImplementationConfig: {
            beacon?: string;
            /** @enum {string} */
            kind?: "eip1967" | "beacon" | "eip1822" | "legacy" | "safe" | "diamond" | "eip897" | "eip7702";
        };
        OwnershipChangeSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "ownership_change";
            config?: components["schemas"]["OwnershipChangeConfig"];
        };
        OwnershipChangeConfig: {
            events?: ("OwnershipTransferred" | "OwnershipTransferStarted" | "OwnershipHandoverRequested" | "OwnerUpdated" | "OwnershipTransferRequested" | "OwnerChanged" | "NewOwner" | "AuthorityUpdated" | "LogSetOwner" | "LogSetAuthority" | "Rely" | "Deny" | "CommitNewAdmin" | "CommitOwnership" | "ApplyOwnership" | "NewGovernance" | "UpdateGovernance" | "GovernanceTransferred" | "RoleGranted" | "RoleRevoked" | "RoleAdminChanged" | "DefaultAdminTransferScheduled" | "RoleGuardianChanged" | "TargetFunctionRoleUpdated" | "TargetClosed" | "AdminChanged" | "NewAdmin" | "NewPendingAdmin" | "OwnerAddition" | "OwnerRemoval" | "RequirementChange" | "AddedOwner" | "RemovedOwner" | "ChangedThreshold" | "EnabledModule" | "DisabledModule" | "ChangedGuard" | "ChangedModuleGuard" | "ChangedFallbackHandler")[];
        };
        ConfigurationChangeSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "configuration_change";
            config?: components["schemas"]["ConfigurationChangeConfig"];
        };
        ConfigurationChangeConfig: {
            events?: string[];
            functions?: string[];
        };
        RareEventSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "rare_event";
            config: components["schemas"]["RareEventConfig"];
        };
        RareEventConfig: {
            events?: string[];
            topics?: string[];
        };
        PauseStateSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "pause_state";
            config?: components["schemas"]["PauseStateConfig"];
        };
        PauseStateConfig: {
            function?: string;
            events_only?: boolean;
        };
        OraclePriceSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "oracle_price";
            config?: components["schemas"]["OraclePriceConfig"];
        };
        OraclePriceConfig: {
            feed?: string;
            function?: string;
            decimals?: number;
            aggregator?: string;
        };
        OracleDeviationSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "oracle_deviation";
            config: components["schemas"]["OracleDeviationConfig"];
        };
        OracleDeviationConfig: {
            feed?: string;
            reference_feed?: string;
            reference_value?: number;
        };
        OracleStalenessSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "oracle_staleness";
            config?: components["schemas"]["OracleStalenessConfig"];
        };
        OracleStalenessConfig: {
            feed?: string;
            /** @default 3600 */
            heartbeat_seconds?: number;
        };
        TvlSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "tvl";
            config: components["schemas"]["TvlConfig"];
        };
        TvlConfig: {
            tokens: {
                token: "native" | string;
                price_feed?: string;
                price?: number;
                decimals?: number;
            }[];
            holder?: string;
        };
        UtilizationSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "utilization";
            config: components["schemas"]["UtilizationConfig"];
        };
        UtilizationConfig: {
            /** @enum {string} */
            preset?: "aave_v3" | "compound_v2" | "compound_v3";
            asset?: string;
            assets?: string[];
            data_provider?: string;
            borrow_function?: string;
            supply_function?: string;
        };
        PoolImbalanceSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "pool_imbalance";
            config: components["schemas"]["PoolImbalanceConfig"];
        };
        PoolImbalanceConfig: {
            /** @enum {string} */
            pool_kind: "uniswap_v2" | "curve" | "balancer";
            /** @default 2 */
            coins?: number;
            pool_id?: string;
            /** @default 0xBA12222222228d8Ba445958a75a0704d566BF2C8 */
            vault?: string;
            decimals?: number[];
        };
        PoolPriceSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "pool_price";
            config: components["schemas"]["PoolPriceConfig"];
        };
        PoolPriceConfig: {
            /** @enum {string} */
            pool_kind: "uniswap_v2" | "uniswap_v3";
            /**
             * @default [
             *       18,
             *       18
             *     ]
             */
            decimals?: number[];
        };
        BridgeConfigSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "bridge_config";
            config: components["schemas"]["BridgeConfigConfig"];
        };
        BridgeConfigConfig: {
            eids: number[];
            endpoint?: string;
            receive_library?: string;
        };
        GovernanceProposalSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "governance_proposal";
            config?: components["schemas"]["GovernanceProposalConfig"];
        };
        GovernanceProposalConfig: {
            /**
             * @default any
             * @enum {string}
             */
            governor_kind?: "any" | "oz" | "bravo" | "timelock";
        };
        TimelockDelaySelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "timelock_delay";
            config?: components["schemas"]["TimelockDelayConfig"];
        };
        TimelockDelayConfig: Record<string, never>;
        AnomalyDetectionSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "anomaly_detection";
            config?: components["schemas"]["AnomalyDetectionConfig"];
        };
        AnomalyDetectionConfig: {
            /**
             * @default tx_rate
             * @enum {string}
             */
            metric?: "tx_rate" | "revert_rate" | "event_frequency" | "function_call_rate";
            event_signature?: string;
            function_signature?: string;
            filter?: string;
            /**
             * @default basic
             * @enum {string}
             */
            algorithm?: "basic" | "robust";
            /** @default 3 */
            bounds?: number;
            /**
             * @default none
             * @enum {string}
             */
            seasonality?: "none" | "hourly" | "daily" | "weekly";
            /**
             * @default both
             * @enum {string}
             */
            direction?: "both" | "above" | "below";
        };
        SolanaInstructionSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_instruction";
            config: components["schemas"]["SolanaInstructionConfig"];
        };
        SolanaInstructionConfig: {
            name?: string;
            discriminator?: string;
            filter?: string;
            /** @default true */
            include_cpi?: boolean;
        };
        SolanaEventSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_event";
            config: components["schemas"]["SolanaEventConfig"];
        };
        SolanaEventConfig: {
            event_name: string;
            /**
             * @default anchor
             * @enum {string}
             */
            match?: "anchor" | "log";
            filter?: string;
        };
        SolanaProgramUpgradeSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_program_upgrade";
            config?: components["schemas"]["SolanaProgramUpgradeConfig"];
        };
        SolanaProgramUpgradeConfig: {
            /** @enum {string} */
            loader?: "v3" | "v4";
        };
        SolanaAuthorityChangeSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_authority_change";
            config?: components["schemas"]["SolanaAuthorityChangeConfig"];
        };
        SolanaAuthorityChangeConfig: {
            /** @enum {string} */
            account?: "program" | "program_v4" | "token" | "multisig" | "nonce";
        };
        SolanaDelegationSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_delegation";
            config?: components["schemas"]["SolanaDelegationConfig"];
        };
        SolanaDelegationConfig: Record<string, never>;
        SolanaPriorityFeeSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_priority_fee";
            config?: components["schemas"]["SolanaPriorityFeeConfig"];
        };
        SolanaPriorityFeeConfig: Record<string, never>;
        AccountFieldSelectedTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "account_field";
            config: components["schemas"]["AccountFieldConfig"];
        };
        AccountFieldConfig: {
            account?: string;
            account_type?: string;
            field: string;
            /** @default 0 */
            decimals?: number;
        };
        ContractCreate: {
            chain: string;
            address: string;
            label?: string;
            selected_targets?: components["schemas"]["SelectedTarget"][];
            abi?: unknown;
        };
        SelectedTarget: components["schemas"]["TxRateSelectedTarget"] | components["schemas"]["RevertRateSelectedTarget"] | components["schemas"]["UniqueCallersSelectedTarget"] | components["schemas"]["EventFrequencySelectedTarget"] | components["schemas"]["EventValueSelectedTarget"] | components["schemas"]["FunctionCallRateSelectedTarget"] | components["schemas"]["InactivitySelectedTarget"] | components["schemas"]["ActivityRhythmSelectedTarget"] | components["schemas"]["NativeBalanceSelectedTarget"] | components["schemas"]["TokenBalanceSelectedTarget"] | components["schemas"]["TokenSupplySelectedTarget"] | components["schemas"]["LargeTransferSelectedTarget"] | components["schemas"]["GasUsageSelectedTarget"] | components["schemas"]["ViewFunctionSelectedTarget"] | components["schemas"]["StorageSlotSelectedTarget"] | components["schemas"]["ProxyImplementationSelectedTarget"] | components["schemas"]["OwnershipChangeSelectedTarget"] | components["schemas"]["ConfigurationChangeSelectedTarget"] | components["schemas"]["RareEventSelectedTarget"] | components["schemas"]["PauseStateSelectedTarget"] | components["schemas"]["OraclePriceSelectedTarget"] | components["schemas"]["OracleDeviationSelectedTarget"] | components["schemas"]["OracleStalenessSelectedTarget"] | components["schemas"]["TvlSelectedTarget"] | components["schemas"]["UtilizationSelectedTarget"] | components["schemas"]["PoolImbalanceSelectedTarget"] | components["schemas"]["PoolPriceSelectedTarget"] | components["schemas"]["BridgeConfigSelectedTarget"] | components["schemas"]["GovernanceProposalSelectedTarget"] | components["schemas"]["TimelockDelaySelectedTarget"] | components["schemas"]["AnomalyDetectionSelectedTarget"] | components["schemas"]["SolanaInstructionSelectedTarget"] | components["schemas"]["SolanaEventSelectedTarget"] | components["schemas"]["SolanaProgramUpgradeSelectedTarget"] | components["schemas"]["SolanaAuthorityChangeSelectedTarget"] | components["schemas"]["SolanaDelegationSelectedTarget"] | components["schemas"]["SolanaPriorityFeeSelectedTarget"] | components["schemas"]["AccountFieldSelectedTarget"];
        BulkImportItem: {
            chain: string;
            address: string;
            label?: string;
            labels?: string[];
            targets?: string[];
            selected_targets?: components["schemas"]["SelectedTarget"][];
        };
        BulkImport: {
            contracts?: components["schemas"]["BulkImportItem"][];
            csv?: string;
        };
        BulkImportResult: {
            dry_run: boolean;
            imported: number;
            skipped: number;
            failed: number;
            not_reached: number;
            items: {
                index: number;
                chain: string;
                address: string;
                /** @enum {string} */
                status: "imported" | "skipped" | "failed" | "not_reached";
                contract_id: string | null;
                code: string | null;
                message: string | null;
            }[];
        };
        DefenderImport: {
            export: unknown;
            /** @default false */
            dry_run?: boolean;
            channel_map?: {
                [key: string]: string;
            };
            default_channel_id?: string | null;
        };
        DefenderImportResult: {
            dry_run: boolean;
            monitors_total: number;
            imported: number;
            skipped: number;
            failed: number;
            contracts_created: number;
            targets_created: number;
            rules_created: number;
            channels_created: number;
            items: {
                source_id: string;
                name: string;
                chain: string;
                address: string;
                contract_id: string | null;
                rule_ids: string[];
                /** @enum {string} */
                status: "imported" | "skipped" | "failed";
                code: string | null;
                message: string | null;
                warnings: {
                    code: string;
                    message: string;
                }[];
            }[];
            errors: {
                index: number;
                source_id: string | null;
                code: string;
                message: string;
            }[];
        };
        ContractUpdate: {
            label?: string;
            /** @enum {string} */
            category?: "lending" | "dex" | "bridge" | "oracle" | "governance" | "token" | "vault" | "proxy" | "safe" | "wallet" | "other";
            abi?: unknown;
        };
        LiveMetric: {
            /** Format: uuid */
            target_id: string;
            target_type: string;
            name: string;
            value: number | null;
            unit: string | null;
            at: string | null;
            rule_id: string | null;
            threshold: number | null;
            proximity: number | null;
            eta_seconds: number | null;
            sparkline: (number | null)[];
        };
        LabelCreate: {
            value: string;
            key?: string | null;
            color?: string | null;
        };
        LabelsReplace: {
            labels: components["schemas"]["LabelCreate"][];
        };
        ContractAccess: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            /** Format: uuid */
            user_id: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "editor";
            granted_by: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ContractAccessCreate: {
            /** Format: uuid */
            user_id?: string;
            /** Format: email */
            email?: string;
            /** @enum {string} */
            role: "viewer" | "editor";
        };
        InspectRequest: {
            chain: string;
            address: string;
        };
        Inspection: {
            chain: string;
            chain_id: number;
            address: string;
            block_number: number;
            has_code: boolean;
            is_proxy: boolean;
            proxy: components["schemas"]["ProxyPath"] | null;
            program: components["schemas"]["Program"] | null;
            /** @enum {string} */
            abi_source: "registry" | "bytecode" | "none";
            abi: {
                [key: string]: unknown;
            }[];
            unnamed_selectors: string[];
            is_verified: boolean | null;
            name: string | null;
            token: components["schemas"]["TokenFacts"] | null;
            /** @enum {string} */
            category: "lending" | "dex" | "bridge" | "oracle" | "governance" | "token" | "vault" | "proxy" | "safe" | "wallet" | "other";
            category_reasons: string[];
            contract_type: string;
            contract_type_reasons: string[];
            suggested_targets: components["schemas"]["TargetSuggestion"][];
            sources: {
                source: string;
                /** @enum {string} */
                status: "found" | "not_found" | "unavailable" | "rate_limited" | "invalid" | "skipped";
                detail: string | null;
            }[];
        };
        ProxyPath: {
            kind: string;
            implementation: string | null;
            admin: string | null;
            beacon: string | null;
            facets: string[];
            hops: {
                address: string;
                kind: string;
                implementation: string | null;
            }[];
            problem: string | null;
        };
        Program: {
            loader: string;
            program_data: string | null;
            deployed_slot: number | null;
            upgrade_authority: string | null;
            has_idl: boolean;
        };
        TokenFacts: {
            name: string | null;
            symbol: string | null;
            decimals: number | null;
            total_supply: string | null;
        };
        TargetSuggestion: {
            target_type: string;
            config: {
                [key: string]: unknown;
            };
            reason: string;
        };
        ContractAnalysis: {
            /** Format: uuid */
            contract_id: string;
            chain: string;
            address: string;
            block_number: number | null;
            /** @enum {string} */
            category: "lending" | "dex" | "bridge" | "oracle" | "governance" | "token" | "vault" | "proxy" | "safe" | "wallet" | "other";
            contract_type: string;
            standards: string[];
            program: components["schemas"]["Program"] | null;
            powers: {
                /** @enum {string} */
                power: "owner" | "pending_owner" | "proxy_admin" | "beacon_owner" | "role" | "signer_group" | "timelock" | "upgrade_authority" | "mint_authority" | "freeze_authority";
                role: string | null;
                holder: components["schemas"]["Holder"];
            }[];
            privileged_functions: {
                signature: string;
                selector: string;
                /** @enum {string} */
                privilege: "upgrade" | "ownership" | "roles" | "pause" | "supply" | "blocklist" | "funds" | "settings" | "execution";
            }[];
            dependencies: {
                kind: string;
                address: string;
            }[];
            findings: {
                id: string;
                /** @enum {string} */
                severity: "info" | "warning" | "critical";
                title: string;
                detail: string;
                target: {
                    target_type: string;
                    config: {
                        [key: string]: unknown;
                    };
                } | null;
                is_watched: boolean;
            }[];
            problems: string[];
            sources: {
                source: string;
                /** @enum {string} */
                status: "found" | "not_found" | "unavailable" | "rate_limited" | "invalid" | "skipped";
                detail: string | null;
            }[];
        };
        Holder: {
            /** @constant */
            kind: "eoa";
            address: string;
        } | {
            /** @constant */
            kind: "safe";
            address: string;
            threshold: number;
            owners: string[];
        } | {
            /** @constant */
            kind: "timelock";
            address: string;
            delay_seconds: number;
        } | {
            /** @constant */
            kind: "contract";
            address: string;
            owner: ({
                /** @constant */
                kind: "eoa";
                address: string;
            } | {
                /** @constant */
                kind: "safe";
                address: string;
                threshold: number;
                owners: string[];
            } | {
                /** @constant */
                kind: "timelock";
                address: string;
                delay_seconds: number;
            } | {
                /** @constant */
                kind: "contract";
                address: string;
                owner: null;
            }) | null;
        };
        ProxyState: {
            chain: string;
            address: string;
            block_number: number | null;
            is_proxy: boolean;
            kind: string | null;
            implementation: string | null;
            admin: string | null;
            beacon: string | null;
            admin_owner: components["schemas"]["Holder"] | null;
            history: {
                /** @enum {string} */
                part: "implementation" | "admin" | "beacon";
                address: string;
                previous: string | null;
                block_number: number;
                tx_hash: string | null;
                /** @enum {string} */
                source: "chain" | "engine";
            }[];
            history_from_block: number | null;
            history_problem: string | null;
        };
        BridgeConfig: {
            chain: string;
            address: string;
            block_number: number | null;
            endpoint: string | null;
            eid: number | null;
            routes: components["schemas"]["BridgeRoute"][];
        };
        BridgeRoute: {
            /** @enum {string} */
            direction: "inbound" | "outbound";
            src_eid: number;
            dst_eid: number;
            src_chain: string | null;
            dst_chain: string | null;
            peer: string;
            send_library: string | null;
            receive_library: string | null;
            confirmations: string | null;
            required_dvns: string[];
            optional_dvns: string[];
            optional_threshold: number;
            is_default_config: boolean | null;
            /** @enum {string} */
            risk_level: "critical" | "high" | "medium" | "low" | "inactive" | "unknown";
            risk_reasons: string[];
        };
        TargetTypeInfo: {
            target_type: string;
            title: string;
            description: string;
            unit: string;
            families: ("evm" | "solana")[];
            /** @enum {string} */
            instances: "one" | "many";
            default_aggregation: string;
            window_aggregation: string;
            counts_occurrences: boolean;
            needs_code: boolean;
            is_polled: boolean;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            cost: {
                reads: string;
                calls_per_day: {
                    [key: string]: number;
                };
            };
            config_schema: {
                [key: string]: unknown;
            };
            example: {
                target_type: string;
                config: {
                    [key: string]: unknown;
                };
            };
        };
        TxRateTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "tx_rate";
            name: string;
            config: components["schemas"]["TxRateConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        RevertRateTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "revert_rate";
            name: string;
            config: components["schemas"]["RevertRateConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        UniqueCallersTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "unique_callers";
            name: string;
            config: components["schemas"]["UniqueCallersConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        EventFrequencyTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "event_frequency";
            name: string;
            config: components["schemas"]["EventFrequencyConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        EventValueTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "event_value";
            name: string;
            config: components["schemas"]["EventValueConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        FunctionCallRateTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "function_call_rate";
            name: string;
            config: components["schemas"]["FunctionCallRateConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        InactivityTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "inactivity";
            name: string;
            config: components["schemas"]["InactivityConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ActivityRhythmTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "activity_rhythm";
            name: string;
            config: components["schemas"]["ActivityRhythmConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NativeBalanceTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "native_balance";
            name: string;
            config: components["schemas"]["NativeBalanceConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TokenBalanceTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "token_balance";
            name: string;
            config: components["schemas"]["TokenBalanceConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TokenSupplyTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "token_supply";
            name: string;
            config: components["schemas"]["TokenSupplyConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        LargeTransferTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "large_transfer";
            name: string;
            config: components["schemas"]["LargeTransferConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        GasUsageTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "gas_usage";
            name: string;
            config: components["schemas"]["GasUsageConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ViewFunctionTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "view_function";
            name: string;
            config: components["schemas"]["ViewFunctionConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        StorageSlotTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "storage_slot";
            name: string;
            config: components["schemas"]["StorageSlotConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ProxyImplementationTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "proxy_implementation";
            name: string;
            config: components["schemas"]["ProxyImplementationConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        OwnershipChangeTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "ownership_change";
            name: string;
            config: components["schemas"]["OwnershipChangeConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ConfigurationChangeTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "configuration_change";
            name: string;
            config: components["schemas"]["ConfigurationChangeConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        RareEventTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "rare_event";
            name: string;
            config: components["schemas"]["RareEventConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PauseStateTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "pause_state";
            name: string;
            config: components["schemas"]["PauseStateConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        OraclePriceTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "oracle_price";
            name: string;
            config: components["schemas"]["OraclePriceConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        OracleDeviationTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "oracle_deviation";
            name: string;
            config: components["schemas"]["OracleDeviationConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        OracleStalenessTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "oracle_staleness";
            name: string;
            config: components["schemas"]["OracleStalenessConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TvlTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "tvl";
            name: string;
            config: components["schemas"]["TvlConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        UtilizationTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "utilization";
            name: string;
            config: components["schemas"]["UtilizationConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PoolImbalanceTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "pool_imbalance";
            name: string;
            config: components["schemas"]["PoolImbalanceConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PoolPriceTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "pool_price";
            name: string;
            config: components["schemas"]["PoolPriceConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        BridgeConfigTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "bridge_config";
            name: string;
            config: components["schemas"]["BridgeConfigConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        GovernanceProposalTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "governance_proposal";
            name: string;
            config: components["schemas"]["GovernanceProposalConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TimelockDelayTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "timelock_delay";
            name: string;
            config: components["schemas"]["TimelockDelayConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AnomalyDetectionTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "anomaly_detection";
            name: string;
            config: components["schemas"]["AnomalyDetectionConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SolanaInstructionTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_instruction";
            name: string;
            config: components["schemas"]["SolanaInstructionConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SolanaEventTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_event";
            name: string;
            config: components["schemas"]["SolanaEventConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SolanaProgramUpgradeTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_program_upgrade";
            name: string;
            config: components["schemas"]["SolanaProgramUpgradeConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SolanaAuthorityChangeTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_authority_change";
            name: string;
            config: components["schemas"]["SolanaAuthorityChangeConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SolanaDelegationTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_delegation";
            name: string;
            config: components["schemas"]["SolanaDelegationConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SolanaPriorityFeeTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_priority_fee";
            name: string;
            config: components["schemas"]["SolanaPriorityFeeConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AccountFieldTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "account_field";
            name: string;
            config: components["schemas"]["AccountFieldConfig"];
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "no_data" | "error" | "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        UnknownTarget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contract_id: string;
            policy_id: string | null;
            target_type: string;
            name: string;
            config: {
                [key: string]: unknown;
            };
            unit: string | null;
            needs: ("state" | "logs" | "transactions" | "receipts" | "traces")[];
            is_enabled: boolean;
            /** @constant */
            status: "unsupported";
            status_reason: string | null;
            last_value: number | null;
            last_value_exact: string | null;
            last_value_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Target: (components["schemas"]["TxRateTarget"] | components["schemas"]["RevertRateTarget"] | components["schemas"]["UniqueCallersTarget"] | components["schemas"]["EventFrequencyTarget"] | components["schemas"]["EventValueTarget"] | components["schemas"]["FunctionCallRateTarget"] | components["schemas"]["InactivityTarget"] | components["schemas"]["ActivityRhythmTarget"] | components["schemas"]["NativeBalanceTarget"] | components["schemas"]["TokenBalanceTarget"] | components["schemas"]["TokenSupplyTarget"] | components["schemas"]["LargeTransferTarget"] | components["schemas"]["GasUsageTarget"] | components["schemas"]["ViewFunctionTarget"] | components["schemas"]["StorageSlotTarget"] | components["schemas"]["ProxyImplementationTarget"] | components["schemas"]["OwnershipChangeTarget"] | components["schemas"]["ConfigurationChangeTarget"] | components["schemas"]["RareEventTarget"] | components["schemas"]["PauseStateTarget"] | components["schemas"]["OraclePriceTarget"] | components["schemas"]["OracleDeviationTarget"] | components["schemas"]["OracleStalenessTarget"] | components["schemas"]["TvlTarget"] | components["schemas"]["UtilizationTarget"] | components["schemas"]["PoolImbalanceTarget"] | components["schemas"]["PoolPriceTarget"] | components["schemas"]["BridgeConfigTarget"] | components["schemas"]["GovernanceProposalTarget"] | components["schemas"]["TimelockDelayTarget"] | components["schemas"]["AnomalyDetectionTarget"] | components["schemas"]["SolanaInstructionTarget"] | components["schemas"]["SolanaEventTarget"] | components["schemas"]["SolanaProgramUpgradeTarget"] | components["schemas"]["SolanaAuthorityChangeTarget"] | components["schemas"]["SolanaDelegationTarget"] | components["schemas"]["SolanaPriorityFeeTarget"] | components["schemas"]["AccountFieldTarget"]) | components["schemas"]["UnknownTarget"];
        TxRateTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "tx_rate";
            name?: string;
            config?: components["schemas"]["TxRateConfig"];
        };
        RevertRateTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "revert_rate";
            name?: string;
            config?: components["schemas"]["RevertRateConfig"];
        };
        UniqueCallersTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "unique_callers";
            name?: string;
            config?: components["schemas"]["UniqueCallersConfig"];
        };
        EventFrequencyTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "event_frequency";
            name?: string;
            config: components["schemas"]["EventFrequencyConfig"];
        };
        EventValueTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "event_value";
            name?: string;
            config: components["schemas"]["EventValueConfig"];
        };
        FunctionCallRateTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "function_call_rate";
            name?: string;
            config: components["schemas"]["FunctionCallRateConfig"];
        };
        InactivityTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "inactivity";
            name?: string;
            config?: components["schemas"]["InactivityConfig"];
        };
        ActivityRhythmTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "activity_rhythm";
            name?: string;
            config?: components["schemas"]["ActivityRhythmConfig"];
        };
        NativeBalanceTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "native_balance";
            name?: string;
            config?: components["schemas"]["NativeBalanceConfig"];
        };
        TokenBalanceTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "token_balance";
            name?: string;
            config: components["schemas"]["TokenBalanceConfig"];
        };
        TokenSupplyTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "token_supply";
            name?: string;
            config?: components["schemas"]["TokenSupplyConfig"];
        };
        LargeTransferTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "large_transfer";
            name?: string;
            config: components["schemas"]["LargeTransferConfig"];
        };
        GasUsageTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "gas_usage";
            name?: string;
            config?: components["schemas"]["GasUsageConfig"];
        };
        ViewFunctionTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "view_function";
            name?: string;
            config: components["schemas"]["ViewFunctionConfig"];
        };
        StorageSlotTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "storage_slot";
            name?: string;
            config: components["schemas"]["StorageSlotConfig"];
        };
        ProxyImplementationTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "proxy_implementation";
            name?: string;
            config?: components["schemas"]["ProxyImplementationConfig"];
        };
        OwnershipChangeTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "ownership_change";
            name?: string;
            config?: components["schemas"]["OwnershipChangeConfig"];
        };
        ConfigurationChangeTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "configuration_change";
            name?: string;
            config?: components["schemas"]["ConfigurationChangeConfig"];
        };
        RareEventTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "rare_event";
            name?: string;
            config: components["schemas"]["RareEventConfig"];
        };
        PauseStateTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "pause_state";
            name?: string;
            config?: components["schemas"]["PauseStateConfig"];
        };
        OraclePriceTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "oracle_price";
            name?: string;
            config?: components["schemas"]["OraclePriceConfig"];
        };
        OracleDeviationTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "oracle_deviation";
            name?: string;
            config: components["schemas"]["OracleDeviationConfig"];
        };
        OracleStalenessTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "oracle_staleness";
            name?: string;
            config?: components["schemas"]["OracleStalenessConfig"];
        };
        TvlTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "tvl";
            name?: string;
            config: components["schemas"]["TvlConfig"];
        };
        UtilizationTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "utilization";
            name?: string;
            config: components["schemas"]["UtilizationConfig"];
        };
        PoolImbalanceTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "pool_imbalance";
            name?: string;
            config: components["schemas"]["PoolImbalanceConfig"];
        };
        PoolPriceTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "pool_price";
            name?: string;
            config: components["schemas"]["PoolPriceConfig"];
        };
        BridgeConfigTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "bridge_config";
            name?: string;
            config: components["schemas"]["BridgeConfigConfig"];
        };
        GovernanceProposalTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "governance_proposal";
            name?: string;
            config?: components["schemas"]["GovernanceProposalConfig"];
        };
        TimelockDelayTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "timelock_delay";
            name?: string;
            config?: components["schemas"]["TimelockDelayConfig"];
        };
        AnomalyDetectionTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "anomaly_detection";
            name?: string;
            config?: components["schemas"]["AnomalyDetectionConfig"];
        };
        SolanaInstructionTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_instruction";
            name?: string;
            config: components["schemas"]["SolanaInstructionConfig"];
        };
        SolanaEventTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_event";
            name?: string;
            config: components["schemas"]["SolanaEventConfig"];
        };
        SolanaProgramUpgradeTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_program_upgrade";
            name?: string;
            config?: components["schemas"]["SolanaProgramUpgradeConfig"];
        };
        SolanaAuthorityChangeTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_authority_change";
            name?: string;
            config?: components["schemas"]["SolanaAuthorityChangeConfig"];
        };
        SolanaDelegationTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_delegation";
            name?: string;
            config?: components["schemas"]["SolanaDelegationConfig"];
        };
        SolanaPriorityFeeTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_priority_fee";
            name?: string;
            config?: components["schemas"]["SolanaPriorityFeeConfig"];
        };
        AccountFieldTargetCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "account_field";
            name?: string;
            config: components["schemas"]["AccountFieldConfig"];
        };
        TargetCreate: components["schemas"]["TxRateTargetCreate"] | components["schemas"]["RevertRateTargetCreate"] | components["schemas"]["UniqueCallersTargetCreate"] | components["schemas"]["EventFrequencyTargetCreate"] | components["schemas"]["EventValueTargetCreate"] | components["schemas"]["FunctionCallRateTargetCreate"] | components["schemas"]["InactivityTargetCreate"] | components["schemas"]["ActivityRhythmTargetCreate"] | components["schemas"]["NativeBalanceTargetCreate"] | components["schemas"]["TokenBalanceTargetCreate"] | components["schemas"]["TokenSupplyTargetCreate"] | components["schemas"]["LargeTransferTargetCreate"] | components["schemas"]["GasUsageTargetCreate"] | components["schemas"]["ViewFunctionTargetCreate"] | components["schemas"]["StorageSlotTargetCreate"] | components["schemas"]["ProxyImplementationTargetCreate"] | components["schemas"]["OwnershipChangeTargetCreate"] | components["schemas"]["ConfigurationChangeTargetCreate"] | components["schemas"]["RareEventTargetCreate"] | components["schemas"]["PauseStateTargetCreate"] | components["schemas"]["OraclePriceTargetCreate"] | components["schemas"]["OracleDeviationTargetCreate"] | components["schemas"]["OracleStalenessTargetCreate"] | components["schemas"]["TvlTargetCreate"] | components["schemas"]["UtilizationTargetCreate"] | components["schemas"]["PoolImbalanceTargetCreate"] | components["schemas"]["PoolPriceTargetCreate"] | components["schemas"]["BridgeConfigTargetCreate"] | components["schemas"]["GovernanceProposalTargetCreate"] | components["schemas"]["TimelockDelayTargetCreate"] | components["schemas"]["AnomalyDetectionTargetCreate"] | components["schemas"]["SolanaInstructionTargetCreate"] | components["schemas"]["SolanaEventTargetCreate"] | components["schemas"]["SolanaProgramUpgradeTargetCreate"] | components["schemas"]["SolanaAuthorityChangeTargetCreate"] | components["schemas"]["SolanaDelegationTargetCreate"] | components["schemas"]["SolanaPriorityFeeTargetCreate"] | components["schemas"]["AccountFieldTargetCreate"];
        TargetSeries: {
            /** Format: uuid */
            target_id: string;
            unit: string | null;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            points: {
                /** Format: date-time */
                at: string;
                min: number;
                max: number;
            }[];
        };
        TargetConfig: components["schemas"]["TxRateConfig"] | components["schemas"]["RevertRateConfig"] | components["schemas"]["UniqueCallersConfig"] | components["schemas"]["EventFrequencyConfig"] | components["schemas"]["EventValueConfig"] | components["schemas"]["FunctionCallRateConfig"] | components["schemas"]["InactivityConfig"] | components["schemas"]["ActivityRhythmConfig"] | components["schemas"]["NativeBalanceConfig"] | components["schemas"]["TokenBalanceConfig"] | components["schemas"]["TokenSupplyConfig"] | components["schemas"]["LargeTransferConfig"] | components["schemas"]["GasUsageConfig"] | components["schemas"]["ViewFunctionConfig"] | components["schemas"]["StorageSlotConfig"] | components["schemas"]["ProxyImplementationConfig"] | components["schemas"]["OwnershipChangeConfig"] | components["schemas"]["ConfigurationChangeConfig"] | components["schemas"]["RareEventConfig"] | components["schemas"]["PauseStateConfig"] | components["schemas"]["OraclePriceConfig"] | components["schemas"]["OracleDeviationConfig"] | components["schemas"]["OracleStalenessConfig"] | components["schemas"]["TvlConfig"] | components["schemas"]["UtilizationConfig"] | components["schemas"]["PoolImbalanceConfig"] | components["schemas"]["PoolPriceConfig"] | components["schemas"]["BridgeConfigConfig"] | components["schemas"]["GovernanceProposalConfig"] | components["schemas"]["TimelockDelayConfig"] | components["schemas"]["AnomalyDetectionConfig"] | components["schemas"]["SolanaInstructionConfig"] | components["schemas"]["SolanaEventConfig"] | components["schemas"]["SolanaProgramUpgradeConfig"] | components["schemas"]["SolanaAuthorityChangeConfig"] | components["schemas"]["SolanaDelegationConfig"] | components["schemas"]["SolanaPriorityFeeConfig"] | components["schemas"]["AccountFieldConfig"];
        TargetUpdate: {
            name?: string;
            config?: components["schemas"]["TargetConfig"];
            is_enabled?: boolean;
        };
        AlertTemplate: {
            id: string;
            /** @enum {string} */
            category: "lending" | "dex" | "bridge" | "oracle" | "governance" | "token" | "vault" | "proxy" | "safe" | "wallet" | "other";
            name: string;
            description: string;
            target_type: string;
            target_config: {
                [key: string]: unknown;
            } | null;
            condition: components["schemas"]["RuleCondition"];
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            for_seconds: number;
            applicable: boolean;
            reason: string | null;
            recommended: boolean;
            subject: string | null;
            threshold_source: string | null;
            fires_per_day: number | null;
            estimated_from: components["schemas"]["NoiseEstimatedFrom"] | null;
            estimate_problem: string | null;
        };
        RuleCondition: {
            /** @enum {string} */
            operator: "gt" | "gte" | "lt" | "lte" | "eq" | "neq" | "between" | "outside" | "change_pct_gt" | "change_pct_lt" | "changed" | "anomaly" | "absent";
            threshold?: number;
            threshold_high?: number;
            /** @enum {string} */
            aggregation?: "each" | "last" | "avg" | "min" | "max" | "sum" | "count" | "rate" | "p95";
            window_seconds?: number;
            match?: {
                events?: {
                    signature: string;
                    expression?: string;
                }[];
                functions?: {
                    signature: string;
                    expression?: string;
                }[];
                /** @enum {string} */
                status?: "any" | "success" | "failed";
                expression?: string;
            };
            group_by?: string;
            all?: {
                /** Format: uuid */
                target_id: string;
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte" | "eq" | "neq" | "between" | "outside" | "change_pct_gt" | "change_pct_lt" | "changed" | "anomaly" | "absent";
                threshold?: number;
                threshold_high?: number;
                /** @enum {string} */
                aggregation?: "each" | "last" | "avg" | "min" | "max" | "sum" | "count" | "rate" | "p95";
                window_seconds?: number;
            }[];
            any?: {
                /** Format: uuid */
                target_id: string;
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte" | "eq" | "neq" | "between" | "outside" | "change_pct_gt" | "change_pct_lt" | "changed" | "anomaly" | "absent";
                threshold?: number;
                threshold_high?: number;
                /** @enum {string} */
                aggregation?: "each" | "last" | "avg" | "min" | "max" | "sum" | "count" | "rate" | "p95";
                window_seconds?: number;
            }[];
        };
        NoiseEstimatedFrom: {
            /** @enum {string} */
            source: "readings" | "chain";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            blocks: number | null;
        };
        AlertTemplatesApply: {
            /**
             * @default recommended
             * @enum {string}
             */
            category?: "recommended" | "lending" | "dex" | "bridge" | "oracle" | "governance" | "token" | "vault" | "proxy" | "safe" | "wallet" | "other";
            /** Format: uuid */
            channel_id: string;
            template_ids?: string[];
            /** @default false */
            dry_run?: boolean;
        };
        AlertTemplatesApplied: {
            rule_ids: string[];
            rules: {
                /** Format: uuid */
                rule_id: string;
                template_id: string;
                name: string;
                /** @enum {string} */
                mode: "live" | "shadow";
                reason: string | null;
                fires_per_day: number | null;
                estimated_from: components["schemas"]["NoiseEstimatedFrom"] | null;
                estimate_problem: string | null;
                threshold_source: string | null;
            }[];
            skipped: {
                template_id: string;
                reason: string;
            }[];
        };
        AlertRuleCreate: {
            /** Format: uuid */
            target_id: string;
            /** @enum {string} */
            severity: "info" | "low" | "warning" | "medium" | "high" | "critical";
            condition: components["schemas"]["RuleCondition"];
            name?: string;
            channel_id?: string | null;
            channel_ids?: string[];
            escalation?: {
                after_seconds: number;
                channel_ids: string[];
            }[];
            record_only?: boolean;
            agent_id?: string | null;
            for_seconds?: number;
            resolve_after_seconds?: number;
            cooldown_seconds?: number;
            renotify_seconds?: number | null;
            notify_on_resolve?: boolean;
            /** @enum {string} */
            no_data?: "ignore" | "alert";
            /** @enum {string} */
            mode?: "live" | "shadow";
            confirmations?: (number | ("safe" | "finalized")) | null;
            message_template?: string | null;
            external_ref?: string | null;
            is_enabled?: boolean;
        };
        AlertRule: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: uuid */
            contract_id: string;
            /** Format: uuid */
            target_id: string;
            target_type: string;
            policy_id: string | null;
            channel_id: string | null;
            channel_ids: string[];
            escalation: {
                after_seconds: number;
                channel_ids: string[];
            }[];
            record_only: boolean;
            agent_id: string | null;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            condition: components["schemas"]["RuleCondition"];
            for_seconds: number;
            resolve_after_seconds: number;
            cooldown_seconds: number;
            renotify_seconds: number | null;
            notify_on_resolve: boolean;
            /** @enum {string} */
            no_data: "ignore" | "alert";
            /** @enum {string} */
            mode: "live" | "shadow";
            confirmations: (number | ("safe" | "finalized")) | null;
            message_template: string | null;
            is_enabled: boolean;
            /** @enum {string} */
            state: "ok" | "pending" | "firing" | "no_data" | "error";
            last_value: number | null;
            last_evaluated_at: string | null;
            last_fired_at: string | null;
            external_ref: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AlertEvent: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "fired" | "no_data" | "error" | "test";
            /** @enum {string} */
            status: "firing" | "occurred" | "acknowledged" | "resolved" | "retracted";
            rule_id: string | null;
            rule_name: string;
            contract_id: string | null;
            agent_id: string | null;
            chain: string;
            chain_id: number;
            target_id: string | null;
            target_type: string;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            title: string;
            message: string;
            value: number | null;
            threshold: number | null;
            /** @enum {string} */
            operator: "gt" | "gte" | "lt" | "lte" | "eq" | "neq" | "between" | "outside" | "change_pct_gt" | "change_pct_lt" | "changed" | "anomaly" | "absent";
            unit: string | null;
            window_seconds: number | null;
            /** Format: date-time */
            fired_at: string;
            /** Format: date-time */
            detected_at: string;
            resolved_at: string | null;
            acknowledged_at: string | null;
            acknowledged_by: string | null;
            block_number: number | null;
            block_hash: string | null;
            group: string | null;
            tx_hash: string | null;
            log_index: number | null;
            /** @enum {string} */
            finality: "pending" | "safe" | "finalized" | "retracted";
            explanation: components["schemas"]["Explanation"];
            deliveries: {
                /** Format: uuid */
                channel_id: string;
                channel_type: string;
                /** @enum {string} */
                status: "queued" | "sending" | "sent" | "failed" | "skipped" | "silenced";
                attempts: number;
                last_error: string | null;
                sent_at: string | null;
            }[];
            /** Format: date-time */
            created_at: string;
        };
        Explanation: {
            reason?: string | null;
            clause?: string;
            group?: {
                by?: string;
                value?: string | null;
            } & {
                [key: string]: unknown;
            };
            conditions?: ({
                /** Format: uuid */
                target_id?: string;
                target_type?: string;
                clause?: string;
                value?: number | null;
                holds?: boolean | null;
            } & {
                [key: string]: unknown;
            })[];
            previous?: {
                time?: number;
                value?: number;
                tx_hash?: string | null;
            } & {
                [key: string]: unknown;
            };
            samples?: ({
                time?: number;
                value?: number;
                tx_hash?: string | null;
            } & {
                [key: string]: unknown;
            })[];
            samples_in_window?: number;
            decoded?: unknown;
            evidence?: {
                [key: string]: unknown;
            } | null;
            names?: {
                [key: string]: string;
            };
            baseline?: unknown;
            links?: {
                address?: string | null;
                tx?: string | null;
            } & {
                [key: string]: unknown;
            };
            cut?: string[];
        } & {
            [key: string]: unknown;
        };
        BacktestRequest: {
            /** Format: uuid */
            target_id: string;
            condition: components["schemas"]["RuleCondition"];
            for_seconds?: number;
            resolve_after_seconds?: number;
            /** Format: date-time */
            from?: string;
            /** Format: date-time */
            to?: string;
        };
        BacktestResult: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            data_from: string | null;
            data_to: string | null;
            samples: number;
            episodes: {
                /** Format: date-time */
                fired_at: string;
                resolved_at: string | null;
                value: number | null;
                tx_hash: string | null;
                group: string | null;
            }[];
            fires_per_day: number;
            suggested_threshold: number | null;
        };
        MessagePreviewRequest: {
            /** Format: uuid */
            target_id: string;
            /** @enum {string} */
            severity: "info" | "low" | "warning" | "medium" | "high" | "critical";
            condition: components["schemas"]["RuleCondition"];
            name?: string;
            message_template?: string | null;
        };
        MessagePreviews: {
            uses_reading: boolean;
            messages: {
                channel_type: string;
                channel_title: string;
                /** @enum {string} */
                format: "text" | "json";
                title: string | null;
                text: string;
            }[];
        };
        AlertRuleUpdate: {
            /** Format: uuid */
            target_id?: string;
            /** @enum {string} */
            severity?: "info" | "low" | "warning" | "medium" | "high" | "critical";
            condition?: components["schemas"]["RuleCondition"];
            name?: string;
            channel_id?: string | null;
            channel_ids?: string[];
            escalation?: {
                after_seconds: number;
                channel_ids: string[];
            }[];
            record_only?: boolean;
            agent_id?: string | null;
            for_seconds?: number;
            resolve_after_seconds?: number;
            cooldown_seconds?: number;
            renotify_seconds?: number | null;
            notify_on_resolve?: boolean;
            /** @enum {string} */
            no_data?: "ignore" | "alert";
            /** @enum {string} */
            mode?: "live" | "shadow";
            confirmations?: (number | ("safe" | "finalized")) | null;
            message_template?: string | null;
            external_ref?: string | null;
            is_enabled?: boolean;
        };
        FireDrill: {
            event: components["schemas"]["AlertEvent"];
            steps: {
                after_seconds: number;
                recipients: {
                    /** Format: uuid */
                    channel_id: string;
                    channel_type: string;
                    channel_name: string;
                    /** @enum {string} */
                    outcome: "notified" | "shadow_mode" | "channel_disabled" | "channel_rejected" | "below_min_severity" | "silenced" | "withheld";
                }[];
            }[];
        };
        EventsAcknowledge: {
            event_ids: string[];
        };
        EventsAcknowledged: {
            acknowledged: string[];
            unchanged: string[];
        };
        Policy: {
            /** Format: uuid */
            id: string;
            name: string;
            selector: components["schemas"]["PolicySelector"];
            target: components["schemas"]["PolicyTarget"];
            rule: components["schemas"]["PolicyRule"];
            is_enabled: boolean;
            /** @enum {string} */
            status: "applied" | "applying" | "incomplete" | "disabled";
            status_reason: string | null;
            progress: components["schemas"]["PolicyProgress"];
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PolicySelector: {
            labels?: string[];
            chains?: string[];
            categories?: ("lending" | "dex" | "bridge" | "oracle" | "governance" | "token" | "vault" | "proxy" | "safe" | "wallet" | "other")[];
            contract_types?: ("wallet" | "erc20" | "erc721" | "erc1155" | "proxy" | "oracle_feed" | "bridge_oapp" | "bridge" | "governor" | "timelock" | "lending_pool" | "dex_pool" | "safe" | "vault" | "access_manager" | "program" | "unknown")[];
        };
        PolicyTarget: {
            target_type: string;
            config?: {
                [key: string]: unknown;
            };
        };
        PolicyRule: {
            name: string | null;
            channel_id: string | null;
            channel_ids: string[];
            escalation: {
                after_seconds: number;
                channel_ids: string[];
            }[];
            record_only: boolean;
            agent_id: string | null;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            for_seconds: number;
            resolve_after_seconds: number;
            cooldown_seconds: number;
            renotify_seconds: number | null;
            notify_on_resolve: boolean;
            /** @enum {string} */
            no_data: "ignore" | "alert";
            /** @enum {string} */
            mode: "live" | "shadow";
            confirmations: (number | ("safe" | "finalized")) | null;
            message_template: string | null;
            condition: components["schemas"]["RuleCondition"];
        };
        PolicyProgress: {
            matched: number;
            applied: number;
            failed: number;
            pending: number;
            failures: {
                /** Format: uuid */
                contract_id: string;
                chain: string;
                address: string;
                label: string;
                /** @enum {string} */
                code: "rule_quota_exceeded" | "target_quota_exceeded" | "target_conflict" | "unsupported" | "invalid";
                reason: string;
            }[];
        };
        PolicyCreate: {
            name: string;
            selector: components["schemas"]["PolicySelector"];
            target: components["schemas"]["SelectedTarget"];
            rule: components["schemas"]["PolicyRuleInput"];
            is_enabled?: boolean;
        };
        PolicyRuleInput: {
            /** @enum {string} */
            severity: "info" | "low" | "warning" | "medium" | "high" | "critical";
            name?: string;
            channel_id?: string | null;
            channel_ids?: string[];
            escalation?: {
                after_seconds: number;
                channel_ids: string[];
            }[];
            record_only?: boolean;
            agent_id?: string | null;
            for_seconds?: number;
            resolve_after_seconds?: number;
            cooldown_seconds?: number;
            renotify_seconds?: number | null;
            notify_on_resolve?: boolean;
            /** @enum {string} */
            no_data?: "ignore" | "alert";
            /** @enum {string} */
            mode?: "live" | "shadow";
            confirmations?: (number | ("safe" | "finalized")) | null;
            message_template?: string | null;
            condition: components["schemas"]["PolicyCondition"];
        };
        PolicyCondition: components["schemas"]["RuleCondition"];
        PolicyUpdate: {
            name?: string;
            selector?: components["schemas"]["PolicySelector"];
            target?: components["schemas"]["SelectedTarget"];
            rule?: components["schemas"]["PolicyRuleInput"];
            is_enabled?: boolean;
        };
        InboxChannel: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "inbox";
            name: string;
            config: components["schemas"]["InboxShownConfig"];
            /** @enum {string} */
            min_severity: "info" | "warning" | "critical";
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "failing" | "disabled";
            last_success_at: string | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        InboxShownConfig: Record<string, never>;
        EmailChannel: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "email";
            name: string;
            config: components["schemas"]["EmailShownConfig"];
            /** @enum {string} */
            min_severity: "info" | "warning" | "critical";
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "failing" | "disabled";
            last_success_at: string | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        EmailShownConfig: {
            to: string[];
            subject_prefix?: string;
        };
        SlackChannel: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "slack";
            name: string;
            config: components["schemas"]["SlackShownConfig"];
            /** @enum {string} */
            min_severity: "info" | "warning" | "critical";
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "failing" | "disabled";
            last_success_at: string | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SlackShownConfig: {
            webhook_url: string;
        };
        DiscordChannel: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "discord";
            name: string;
            config: components["schemas"]["DiscordShownConfig"];
            /** @enum {string} */
            min_severity: "info" | "warning" | "critical";
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "failing" | "disabled";
            last_success_at: string | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        DiscordShownConfig: {
            webhook_url: string;
        };
        TelegramChannel: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "telegram";
            name: string;
            config: components["schemas"]["TelegramShownConfig"];
            /** @enum {string} */
            min_severity: "info" | "warning" | "critical";
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "failing" | "disabled";
            last_success_at: string | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TelegramShownConfig: {
            bot_token: string;
            chat_id: number | string;
            thread_id?: number;
        };
        WebhookChannel: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook";
            name: string;
            config: components["schemas"]["WebhookShownConfig"];
            /** @enum {string} */
            min_severity: "info" | "warning" | "critical";
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "failing" | "disabled";
            last_success_at: string | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookShownConfig: {
            url: string;
            secret?: string;
            headers?: {
                [key: string]: string;
            };
        };
        PagerdutyChannel: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pagerduty";
            name: string;
            config: components["schemas"]["PagerdutyShownConfig"];
            /** @enum {string} */
            min_severity: "info" | "warning" | "critical";
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "failing" | "disabled";
            last_success_at: string | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PagerdutyShownConfig: {
            routing_key: string;
            severity_map?: {
                /** @enum {string} */
                info?: "critical" | "error" | "warning" | "info";
                /** @enum {string} */
                warning?: "critical" | "error" | "warning" | "info";
                /** @enum {string} */
                critical?: "critical" | "error" | "warning" | "info";
            };
        };
        OpsgenieChannel: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opsgenie";
            name: string;
            config: components["schemas"]["OpsgenieShownConfig"];
            /** @enum {string} */
            min_severity: "info" | "warning" | "critical";
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "failing" | "disabled";
            last_success_at: string | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        OpsgenieShownConfig: {
            api_key: string;
            /** @enum {string} */
            region: "us" | "eu";
        };
        SmsChannel: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "sms";
            name: string;
            config: components["schemas"]["SmsShownConfig"];
            /** @enum {string} */
            min_severity: "info" | "warning" | "critical";
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "failing" | "disabled";
            last_success_at: string | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SmsShownConfig: {
            to: string;
        };
        TeamsChannel: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "teams";
            name: string;
            config: components["schemas"]["TeamsShownConfig"];
            /** @enum {string} */
            min_severity: "info" | "warning" | "critical";
            is_enabled: boolean;
            /** @enum {string} */
            status: "ok" | "failing" | "disabled";
            last_success_at: string | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TeamsShownConfig: {
            webhook_url: string;
        };
        Channel: components["schemas"]["InboxChannel"] | components["schemas"]["EmailChannel"] | components["schemas"]["SlackChannel"] | components["schemas"]["DiscordChannel"] | components["schemas"]["TelegramChannel"] | components["schemas"]["WebhookChannel"] | components["schemas"]["PagerdutyChannel"] | components["schemas"]["OpsgenieChannel"] | components["schemas"]["SmsChannel"] | components["schemas"]["TeamsChannel"];
        ChannelTypeInfo: {
            type: string;
            title: string;
            config_schema: {
                [key: string]: unknown;
            };
        };
        InboxChannelCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "inbox";
            name: string;
            config?: components["schemas"]["InboxConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        InboxConfig: Record<string, never>;
        EmailChannelCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "email";
            name: string;
            config: components["schemas"]["EmailConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        EmailConfig: {
            to: string[];
            subject_prefix?: string;
        };
        SlackChannelCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "slack";
            name: string;
            config: components["schemas"]["SlackConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        SlackConfig: {
            webhook_url: string;
        };
        DiscordChannelCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "discord";
            name: string;
            config: components["schemas"]["DiscordConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        DiscordConfig: {
            webhook_url: string;
        };
        TelegramChannelCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "telegram";
            name: string;
            config: components["schemas"]["TelegramConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        TelegramConfig: {
            bot_token: string;
            chat_id: number | string;
            thread_id?: number;
        };
        WebhookChannelCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook";
            name: string;
            config: components["schemas"]["WebhookConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        WebhookConfig: {
            url: string;
            secret?: string;
            headers?: {
                [key: string]: string;
            };
        };
        PagerdutyChannelCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pagerduty";
            name: string;
            config: components["schemas"]["PagerdutyConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        PagerdutyConfig: {
            routing_key: string;
            severity_map?: {
                /** @enum {string} */
                info?: "critical" | "error" | "warning" | "info";
                /** @enum {string} */
                warning?: "critical" | "error" | "warning" | "info";
                /** @enum {string} */
                critical?: "critical" | "error" | "warning" | "info";
            };
        };
        OpsgenieChannelCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opsgenie";
            name: string;
            config: components["schemas"]["OpsgenieConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        OpsgenieConfig: {
            api_key: string;
            /** @enum {string} */
            region: "us" | "eu";
        };
        SmsChannelCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "sms";
            name: string;
            config: components["schemas"]["SmsConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        SmsConfig: {
            to: string;
        };
        TeamsChannelCreate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "teams";
            name: string;
            config: components["schemas"]["TeamsConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        TeamsConfig: {
            webhook_url: string;
        };
        ChannelCreate: components["schemas"]["InboxChannelCreate"] | components["schemas"]["EmailChannelCreate"] | components["schemas"]["SlackChannelCreate"] | components["schemas"]["DiscordChannelCreate"] | components["schemas"]["TelegramChannelCreate"] | components["schemas"]["WebhookChannelCreate"] | components["schemas"]["PagerdutyChannelCreate"] | components["schemas"]["OpsgenieChannelCreate"] | components["schemas"]["SmsChannelCreate"] | components["schemas"]["TeamsChannelCreate"];
        InboxChannelTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "inbox";
            config?: components["schemas"]["InboxConfig"];
            /** Format: uuid */
            channel_id?: string;
        };
        EmailChannelTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "email";
            config: components["schemas"]["EmailConfig"];
            /** Format: uuid */
            channel_id?: string;
        };
        SlackChannelTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "slack";
            config: components["schemas"]["SlackConfig"];
            /** Format: uuid */
            channel_id?: string;
        };
        DiscordChannelTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "discord";
            config: components["schemas"]["DiscordConfig"];
            /** Format: uuid */
            channel_id?: string;
        };
        TelegramChannelTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "telegram";
            config: components["schemas"]["TelegramConfig"];
            /** Format: uuid */
            channel_id?: string;
        };
        WebhookChannelTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook";
            config: components["schemas"]["WebhookConfig"];
            /** Format: uuid */
            channel_id?: string;
        };
        PagerdutyChannelTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pagerduty";
            config: components["schemas"]["PagerdutyConfig"];
            /** Format: uuid */
            channel_id?: string;
        };
        OpsgenieChannelTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opsgenie";
            config: components["schemas"]["OpsgenieConfig"];
            /** Format: uuid */
            channel_id?: string;
        };
        SmsChannelTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "sms";
            config: components["schemas"]["SmsConfig"];
            /** Format: uuid */
            channel_id?: string;
        };
        TeamsChannelTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "teams";
            config: components["schemas"]["TeamsConfig"];
            /** Format: uuid */
            channel_id?: string;
        };
        ChannelTest: components["schemas"]["InboxChannelTest"] | components["schemas"]["EmailChannelTest"] | components["schemas"]["SlackChannelTest"] | components["schemas"]["DiscordChannelTest"] | components["schemas"]["TelegramChannelTest"] | components["schemas"]["WebhookChannelTest"] | components["schemas"]["PagerdutyChannelTest"] | components["schemas"]["OpsgenieChannelTest"] | components["schemas"]["SmsChannelTest"] | components["schemas"]["TeamsChannelTest"];
        ChannelTested: {
            /** @constant */
            sent: true;
        };
        ChannelUpdate: {
            name?: string;
            config?: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        RecipientPreview: {
            org_name: string;
            email: string;
            is_confirmed: boolean;
        };
        SmsNumber: {
            /** Format: uuid */
            id: string;
            phone: string;
            confirmed_at: string | null;
            code_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        SmsNumberCreate: {
            phone: string;
        };
        SmsNumberRequested: {
            /** @enum {string} */
            status: "code_sent" | "confirmed" | "no_code_needed";
            number: components["schemas"]["SmsNumber"] | null;
        };
        SmsCode: {
            code: string;
        };
        Delivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            channel_id: string;
            channel_type: string;
            channel_name: string;
            /** @enum {string} */
            kind: "fired" | "renotified" | "escalated" | "acknowledged" | "resolved" | "retracted" | "test";
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            event_ids: string[];
            /** @enum {string} */
            status: "queued" | "sending" | "sent" | "failed" | "skipped" | "silenced";
            last_error: string | null;
            silence_id: string | null;
            attempts: {
                attempt: number;
                /** Format: date-time */
                started_at: string;
                latency_ms: number | null;
                /** @enum {string} */
                result: "sent" | "retry" | "failed" | "skipped" | "lost";
                status_code: number | null;
                error: string | null;
                excerpt: string | null;
            }[];
            next_attempt_at: string | null;
            sent_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Inbox: {
            unread: number;
            messages: components["schemas"]["InboxMessage"][];
        };
        InboxMessage: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            channel_id: string;
            channel_name: string;
            /** @enum {string} */
            kind: "fired" | "renotified" | "escalated" | "resolved" | "retracted" | "test";
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            title: string;
            message: string;
            event_ids: string[];
            is_read: boolean;
            /** Format: date-time */
            received_at: string;
        };
        InboxRead: {
            message_ids?: string[];
            /** Format: date-time */
            until?: string;
        };
        InboxCount: {
            unread: number;
        };
        Silence: {
            /** Format: uuid */
            id: string;
            contract_id: string | null;
            label: string | null;
            severity: ("info" | "warning" | "critical") | null;
            all: boolean;
            reason: string;
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            ends_at: string;
            /** Format: date-time */
            created_at: string;
        };
        SilenceCreate: {
            /** Format: uuid */
            contract_id?: string;
            label?: string;
            /** @enum {string} */
            severity?: "info" | "warning" | "critical";
            /** @constant */
            all?: true;
            reason: string;
            /** Format: date-time */
            starts_at?: string;
            /** Format: date-time */
            ends_at: string;
        };
        SilenceUpdate: {
            reason?: string;
            /** Format: date-time */
            starts_at?: string;
            /** Format: date-time */
            ends_at?: string;
        };
        WalletDiscovery: {
            /** Format: uuid */
            id: string;
            wallet_address: string;
            chain_ids: number[];
            /** @enum {string} */
            status: "pending" | "completed" | "partial" | "failed";
            progress: {
                [key: string]: {
                    /** @enum {string} */
                    status: "pending" | "completed" | "partial" | "failed";
                    found: number;
                    error: string | null;
                };
            };
            results: {
                address: string;
                chain_id: number;
                name: string | null;
                contract_type: string;
                category: string;
                /** @enum {string} */
                relation: "deployed" | "owned" | "approved" | "interacted" | "token_held";
                tx_count: number;
                last_interaction_at: string | null;
                already_imported: boolean;
                suggested_targets: {
                    target_type: string;
                    config: {
                        [key: string]: unknown;
                    };
                    reason: string;
                }[];
            }[];
            cached: boolean;
            error: string | null;
            /** Format: date-time */
            created_at: string;
            completed_at: string | null;
        };
        WalletDiscoveryCreate: {
            wallet_address: string;
            chain_ids: number[];
        };
        WalletDiscoveryImport: {
            addresses: {
                address: string;
                chain_id: number;
                /** @default false */
                enable_suggested_targets?: boolean;
            }[];
        };
        WalletDiscoveryImportResult: {
            imported: number;
            skipped: number;
            failed: number;
            errors: {
                address: string;
                chain_id: number;
                code: string;
                message: string;
            }[];
        };
        TxRateConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "tx_rate";
            name?: string;
            config?: components["schemas"]["TxRateConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        ConfigRule: {
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            condition: components["schemas"]["ConfigCondition"];
            name: string;
            record_only?: boolean;
            agent_id?: string | null;
            for_seconds?: number;
            resolve_after_seconds?: number;
            cooldown_seconds?: number;
            renotify_seconds?: number | null;
            notify_on_resolve?: boolean;
            /** @enum {string} */
            no_data?: "ignore" | "alert";
            /** @enum {string} */
            mode?: "live" | "shadow";
            confirmations?: (number | ("safe" | "finalized")) | null;
            message_template?: string | null;
            external_ref?: string | null;
            is_enabled?: boolean;
            escalation?: {
                after_seconds: number;
                channels: string[];
            }[];
            channels?: string[];
        };
        ConfigCondition: {
            /** @enum {string} */
            operator: "gt" | "gte" | "lt" | "lte" | "eq" | "neq" | "between" | "outside" | "change_pct_gt" | "change_pct_lt" | "changed" | "anomaly" | "absent";
            threshold?: number;
            threshold_high?: number;
            /** @enum {string} */
            aggregation?: "each" | "last" | "avg" | "min" | "max" | "sum" | "count" | "rate" | "p95";
            window_seconds?: number;
            match?: {
                events?: {
                    signature: string;
                    expression?: string;
                }[];
                functions?: {
                    signature: string;
                    expression?: string;
                }[];
                /** @enum {string} */
                status?: "any" | "success" | "failed";
                expression?: string;
            };
            group_by?: string;
            all?: {
                target: string;
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte" | "eq" | "neq" | "between" | "outside" | "change_pct_gt" | "change_pct_lt" | "changed" | "anomaly" | "absent";
                threshold?: number;
                threshold_high?: number;
                /** @enum {string} */
                aggregation?: "each" | "last" | "avg" | "min" | "max" | "sum" | "count" | "rate" | "p95";
                window_seconds?: number;
            }[];
            any?: {
                target: string;
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte" | "eq" | "neq" | "between" | "outside" | "change_pct_gt" | "change_pct_lt" | "changed" | "anomaly" | "absent";
                threshold?: number;
                threshold_high?: number;
                /** @enum {string} */
                aggregation?: "each" | "last" | "avg" | "min" | "max" | "sum" | "count" | "rate" | "p95";
                window_seconds?: number;
            }[];
        };
        RevertRateConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "revert_rate";
            name?: string;
            config?: components["schemas"]["RevertRateConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        UniqueCallersConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "unique_callers";
            name?: string;
            config?: components["schemas"]["UniqueCallersConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        EventFrequencyConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "event_frequency";
            name?: string;
            config: components["schemas"]["EventFrequencyConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        EventValueConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "event_value";
            name?: string;
            config: components["schemas"]["EventValueConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        FunctionCallRateConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "function_call_rate";
            name?: string;
            config: components["schemas"]["FunctionCallRateConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        InactivityConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "inactivity";
            name?: string;
            config?: components["schemas"]["InactivityConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        ActivityRhythmConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "activity_rhythm";
            name?: string;
            config?: components["schemas"]["ActivityRhythmConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        NativeBalanceConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "native_balance";
            name?: string;
            config?: components["schemas"]["NativeBalanceConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        TokenBalanceConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "token_balance";
            name?: string;
            config: components["schemas"]["TokenBalanceConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        TokenSupplyConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "token_supply";
            name?: string;
            config?: components["schemas"]["TokenSupplyConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        LargeTransferConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "large_transfer";
            name?: string;
            config: components["schemas"]["LargeTransferConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        GasUsageConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "gas_usage";
            name?: string;
            config?: components["schemas"]["GasUsageConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        ViewFunctionConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "view_function";
            name?: string;
            config: components["schemas"]["ViewFunctionConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        StorageSlotConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "storage_slot";
            name?: string;
            config: components["schemas"]["StorageSlotConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        ProxyImplementationConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "proxy_implementation";
            name?: string;
            config?: components["schemas"]["ProxyImplementationConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        OwnershipChangeConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "ownership_change";
            name?: string;
            config?: components["schemas"]["OwnershipChangeConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        ConfigurationChangeConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "configuration_change";
            name?: string;
            config?: components["schemas"]["ConfigurationChangeConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        RareEventConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "rare_event";
            name?: string;
            config: components["schemas"]["RareEventConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        PauseStateConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "pause_state";
            name?: string;
            config?: components["schemas"]["PauseStateConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        OraclePriceConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "oracle_price";
            name?: string;
            config?: components["schemas"]["OraclePriceConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        OracleDeviationConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "oracle_deviation";
            name?: string;
            config: components["schemas"]["OracleDeviationConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        OracleStalenessConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "oracle_staleness";
            name?: string;
            config?: components["schemas"]["OracleStalenessConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        TvlConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "tvl";
            name?: string;
            config: components["schemas"]["TvlConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        UtilizationConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "utilization";
            name?: string;
            config: components["schemas"]["UtilizationConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        PoolImbalanceConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "pool_imbalance";
            name?: string;
            config: components["schemas"]["PoolImbalanceConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        PoolPriceConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "pool_price";
            name?: string;
            config: components["schemas"]["PoolPriceConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        BridgeConfigConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "bridge_config";
            name?: string;
            config: components["schemas"]["BridgeConfigConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        GovernanceProposalConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "governance_proposal";
            name?: string;
            config?: components["schemas"]["GovernanceProposalConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        TimelockDelayConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "timelock_delay";
            name?: string;
            config?: components["schemas"]["TimelockDelayConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        AnomalyDetectionConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "anomaly_detection";
            name?: string;
            config?: components["schemas"]["AnomalyDetectionConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        SolanaInstructionConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_instruction";
            name?: string;
            config: components["schemas"]["SolanaInstructionConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        SolanaEventConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_event";
            name?: string;
            config: components["schemas"]["SolanaEventConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        SolanaProgramUpgradeConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_program_upgrade";
            name?: string;
            config?: components["schemas"]["SolanaProgramUpgradeConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        SolanaAuthorityChangeConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_authority_change";
            name?: string;
            config?: components["schemas"]["SolanaAuthorityChangeConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        SolanaDelegationConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_delegation";
            name?: string;
            config?: components["schemas"]["SolanaDelegationConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        SolanaPriorityFeeConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "solana_priority_fee";
            name?: string;
            config?: components["schemas"]["SolanaPriorityFeeConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        AccountFieldConfigTarget: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            target_type: "account_field";
            name?: string;
            config: components["schemas"]["AccountFieldConfig"];
            is_enabled?: boolean;
            rules?: components["schemas"]["ConfigRule"][];
        };
        InboxConfigChannel: {
            ref?: string;
            name: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "inbox";
            config?: components["schemas"]["InboxDocumentConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        InboxDocumentConfig: Record<string, never>;
        EmailConfigChannel: {
            ref?: string;
            name: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "email";
            config: components["schemas"]["EmailDocumentConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        EmailDocumentConfig: {
            to: string[];
            subject_prefix?: string;
        };
        SlackConfigChannel: {
            ref?: string;
            name: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "slack";
            config?: components["schemas"]["SlackDocumentConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        SlackDocumentConfig: {
            webhook_url?: string | components["schemas"]["SecretRef"];
        };
        SecretRef: {
            $secret: string;
        };
        DiscordConfigChannel: {
            ref?: string;
            name: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "discord";
            config?: components["schemas"]["DiscordDocumentConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        DiscordDocumentConfig: {
            webhook_url?: string | components["schemas"]["SecretRef"];
        };
        TelegramConfigChannel: {
            ref?: string;
            name: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "telegram";
            config: components["schemas"]["TelegramDocumentConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        TelegramDocumentConfig: {
            bot_token?: string | components["schemas"]["SecretRef"];
            chat_id: number | string;
            thread_id?: number;
        };
        WebhookConfigChannel: {
            ref?: string;
            name: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook";
            config: components["schemas"]["WebhookDocumentConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        WebhookDocumentConfig: {
            url: string;
            secret?: string | components["schemas"]["SecretRef"];
            headers?: {
                [key: string]: string;
            } | components["schemas"]["SecretRef"];
        };
        PagerdutyConfigChannel: {
            ref?: string;
            name: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pagerduty";
            config?: components["schemas"]["PagerdutyDocumentConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        PagerdutyDocumentConfig: {
            routing_key?: string | components["schemas"]["SecretRef"];
            severity_map?: {
                /** @enum {string} */
                info?: "critical" | "error" | "warning" | "info";
                /** @enum {string} */
                warning?: "critical" | "error" | "warning" | "info";
                /** @enum {string} */
                critical?: "critical" | "error" | "warning" | "info";
            };
        };
        OpsgenieConfigChannel: {
            ref?: string;
            name: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opsgenie";
            config: components["schemas"]["OpsgenieDocumentConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        OpsgenieDocumentConfig: {
            api_key?: string | components["schemas"]["SecretRef"];
            /** @enum {string} */
            region: "us" | "eu";
        };
        SmsConfigChannel: {
            ref?: string;
            name: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "sms";
            config: components["schemas"]["SmsDocumentConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        SmsDocumentConfig: {
            to: string;
        };
        TeamsConfigChannel: {
            ref?: string;
            name: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "teams";
            config?: components["schemas"]["TeamsDocumentConfig"];
            /** @enum {string} */
            min_severity?: "info" | "warning" | "critical";
            is_enabled?: boolean;
        };
        TeamsDocumentConfig: {
            webhook_url?: string | components["schemas"]["SecretRef"];
        };
        ConfigDocument: {
            /** @constant */
            version: 1;
            channels?: components["schemas"]["ConfigChannel"][];
            contracts?: components["schemas"]["ConfigContract"][];
            policies?: components["schemas"]["ConfigPolicy"][];
        };
        ConfigChannel: components["schemas"]["InboxConfigChannel"] | components["schemas"]["EmailConfigChannel"] | components["schemas"]["SlackConfigChannel"] | components["schemas"]["DiscordConfigChannel"] | components["schemas"]["TelegramConfigChannel"] | components["schemas"]["WebhookConfigChannel"] | components["schemas"]["PagerdutyConfigChannel"] | components["schemas"]["OpsgenieConfigChannel"] | components["schemas"]["SmsConfigChannel"] | components["schemas"]["TeamsConfigChannel"];
        ConfigContract: {
            chain: string;
            address: string;
            label?: string;
            /** @enum {string} */
            category?: "lending" | "dex" | "bridge" | "oracle" | "governance" | "token" | "vault" | "proxy" | "safe" | "wallet" | "other";
            is_paused?: boolean;
            labels?: components["schemas"]["LabelCreate"][];
            targets?: components["schemas"]["ConfigTarget"][];
        };
        ConfigTarget: components["schemas"]["TxRateConfigTarget"] | components["schemas"]["RevertRateConfigTarget"] | components["schemas"]["UniqueCallersConfigTarget"] | components["schemas"]["EventFrequencyConfigTarget"] | components["schemas"]["EventValueConfigTarget"] | components["schemas"]["FunctionCallRateConfigTarget"] | components["schemas"]["InactivityConfigTarget"] | components["schemas"]["ActivityRhythmConfigTarget"] | components["schemas"]["NativeBalanceConfigTarget"] | components["schemas"]["TokenBalanceConfigTarget"] | components["schemas"]["TokenSupplyConfigTarget"] | components["schemas"]["LargeTransferConfigTarget"] | components["schemas"]["GasUsageConfigTarget"] | components["schemas"]["ViewFunctionConfigTarget"] | components["schemas"]["StorageSlotConfigTarget"] | components["schemas"]["ProxyImplementationConfigTarget"] | components["schemas"]["OwnershipChangeConfigTarget"] | components["schemas"]["ConfigurationChangeConfigTarget"] | components["schemas"]["RareEventConfigTarget"] | components["schemas"]["PauseStateConfigTarget"] | components["schemas"]["OraclePriceConfigTarget"] | components["schemas"]["OracleDeviationConfigTarget"] | components["schemas"]["OracleStalenessConfigTarget"] | components["schemas"]["TvlConfigTarget"] | components["schemas"]["UtilizationConfigTarget"] | components["schemas"]["PoolImbalanceConfigTarget"] | components["schemas"]["PoolPriceConfigTarget"] | components["schemas"]["BridgeConfigConfigTarget"] | components["schemas"]["GovernanceProposalConfigTarget"] | components["schemas"]["TimelockDelayConfigTarget"] | components["schemas"]["AnomalyDetectionConfigTarget"] | components["schemas"]["SolanaInstructionConfigTarget"] | components["schemas"]["SolanaEventConfigTarget"] | components["schemas"]["SolanaProgramUpgradeConfigTarget"] | components["schemas"]["SolanaAuthorityChangeConfigTarget"] | components["schemas"]["SolanaDelegationConfigTarget"] | components["schemas"]["SolanaPriorityFeeConfigTarget"] | components["schemas"]["AccountFieldConfigTarget"];
        ConfigPolicy: {
            name: string;
            selector: components["schemas"]["PolicySelector"];
            target: components["schemas"]["PolicyTarget"];
            rule: {
                /** @enum {string} */
                severity: "info" | "warning" | "critical";
                name?: string;
                record_only?: boolean;
                agent_id?: string | null;
                for_seconds?: number;
                resolve_after_seconds?: number;
                cooldown_seconds?: number;
                renotify_seconds?: number | null;
                notify_on_resolve?: boolean;
                /** @enum {string} */
                no_data?: "ignore" | "alert";
                /** @enum {string} */
                mode?: "live" | "shadow";
                confirmations?: (number | ("safe" | "finalized")) | null;
                message_template?: string | null;
                condition: components["schemas"]["PolicyCondition"];
                escalation?: {
                    after_seconds: number;
                    channels: string[];
                }[];
                channels?: string[];
            };
            is_enabled?: boolean;
        };
        ConfigApply: {
            /** @constant */
            version: 1;
            channels?: components["schemas"]["ConfigChannel"][];
            contracts?: components["schemas"]["ConfigContract"][];
            policies?: components["schemas"]["ConfigPolicy"][];
            secrets?: {
                [key: string]: string;
            };
            /** @default false */
            prune?: boolean;
        };
        ConfigPlan: {
            dry_run: boolean;
            changes: {
                /** @enum {string} */
                action: "create" | "update" | "delete";
                /** @enum {string} */
                kind: "channel" | "contract" | "target" | "rule" | "policy";
                ref: string;
                fields: string[];
                values: {
                    field: string;
                    before: unknown;
                    after: unknown;
                }[];
            }[];
            summary: {
                create: number;
                update: number;
                delete: number;
                none: number;
            };
            errors: {
                loc: (string | number)[];
                msg: string;
                type: string;
            }[];
            warnings: {
                loc: (string | number)[];
                msg: string;
                type: string;
            }[];
        };
        DashboardStats: {
            contracts: {
                total: number;
                monitoring: number;
                pending: number;
                paused: number;
                error: number;
            };
            rules: {
                total: number;
                enabled: number;
                firing: number;
            };
            alerts_24h: {
                info: number;
                warning: number;
                critical: number;
            };
            deliveries_24h: {
                sent: number;
                failed: number;
            };
            chains: {
                chain: string;
                /** @enum {string} */
                state: "live" | "lagging" | "stalled" | "off";
                lag_seconds: number | null;
            }[];
            quota: {
                contracts: {
                    used: number;
                    limit: number | null;
                };
                rules: {
                    used: number;
                    limit: number | null;
                };
            };
        };
        HelloMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "hello";
            id: string;
            data: {
                /** Format: uuid */
                org_id: string;
                /** Format: date-time */
                at: string;
                heartbeat_seconds: number;
                resumed: boolean;
            };
        };
        AlertFiredMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "alert.fired";
            id: string;
            data: components["schemas"]["AlertEvent"];
        };
        AlertUpdatedMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "alert.updated";
            id: string;
            data: components["schemas"]["AlertEvent"];
        };
        MetricMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "metric";
            id: string;
            data: {
                /** Format: uuid */
                target_id: string;
                /** Format: uuid */
                contract_id: string;
                value: number;
                unit: string | null;
                /** Format: date-time */
                at: string;
            };
        };
        ContractUpdatedMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "contract.updated";
            id: string;
            data: components["schemas"]["Contract"] | {
                /** Format: uuid */
                id: string;
                /** @constant */
                is_deleted: true;
            };
        };
        ChainStatusMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "chain.status";
            id: string;
            data: {
                chain: string;
                chain_id: number;
                /** @enum {string} */
                state: "live" | "lagging" | "stalled" | "off";
                head_block: number | null;
                lag_seconds: number | null;
            };
        };
        DiscoveryUpdatedMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "discovery.updated";
            id: string;
            data: {
                /** Format: uuid */
                id: string;
                wallet_address: string;
                chain_ids: number[];
                /** @enum {string} */
                status: "pending" | "completed" | "partial" | "failed";
                progress: {
                    [key: string]: {
                        /** @enum {string} */
                        status: "pending" | "completed" | "partial" | "failed";
                        found: number;
                        error: string | null;
                    };
                };
                cached: boolean;
                error: string | null;
                /** Format: date-time */
                created_at: string;
                completed_at: string | null;
            };
        };
        DeliveryFailedMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "delivery.failed";
            id: string;
            data: {
                /** Format: uuid */
                delivery_id: string;
                channel_id: string | null;
                channel_type: string;
                channel_name: string;
                last_error: string | null;
                attempts: number;
                event_ids: string[];
            };
        };
        InboxReceivedMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "inbox.received";
            id: string;
            data: {
                /** Format: uuid */
                message_id: string;
            };
        };
        StatsMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "stats";
            id: string;
            data: components["schemas"]["DashboardStats"];
        };
        ResetMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "reset";
            id: string;
            data: {
                reason: string;
            };
        };
        HeartbeatMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "heartbeat";
            id: string;
            data: {
                /** Format: date-time */
                at: string;
            };
        };
        StreamMessage: components["schemas"]["HelloMessage"] | components["schemas"]["AlertFiredMessage"] | components["schemas"]["AlertUpdatedMessage"] | components["schemas"]["MetricMessage"] | components["schemas"]["ContractUpdatedMessage"] | components["schemas"]["ChainStatusMessage"] | components["schemas"]["DiscoveryUpdatedMessage"] | components["schemas"]["DeliveryFailedMessage"] | components["schemas"]["InboxReceivedMessage"] | components["schemas"]["StatsMessage"] | components["schemas"]["ResetMessage"] | components["schemas"]["HeartbeatMessage"];
        Activity: {
            buckets: {
                /** Format: date-time */
                at: string;
                counts: {
                    info: number;
                    warning: number;
                    critical: number;
                };
                total: number;
            }[];
            items: components["schemas"]["AlertEvent"][];
            page: number;
            page_size: number;
            total: number;
        };
        OracleFeed: {
            /** Format: uuid */
            contract_id: string;
            chain: string;
            chain_id: number;
            address: string;
            label: string;
            pair: string | null;
            decimals: number | null;
            heartbeat_seconds: number;
            price: number | null;
            round_id: string | null;
            phase_id: number | null;
            aggregator: string | null;
            updated_at: string | null;
            /** @enum {string} */
            status: "ok" | "stale" | "no_data";
            target_types: ("oracle_price" | "oracle_deviation" | "oracle_staleness")[];
        };
        Prices: {
            /** Format: uuid */
            contract_id: string;
            pair: string | null;
            decimals: number | null;
            heartbeat_seconds: number;
            points: {
                /** Format: date-time */
                at: string;
                price: number;
                round_id: string | null;
            }[];
            anomalies: {
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                kind: "spike" | "drop" | "silence" | "jump" | "deviation" | "frozen" | "stale";
                /** @enum {string} */
                severity: "info" | "warning" | "critical";
                score: number;
                price: number;
            }[];
            stats: {
                min: number | null;
                max: number | null;
                mean: number | null;
                volatility: number | null;
                last: number | null;
                updated_at: string | null;
            };
        };
        Anomalies: {
            summary: {
                total: number;
                by_kind: {
                    [key: string]: number;
                };
                by_severity: {
                    info: number;
                    warning: number;
                    critical: number;
                };
            };
            items: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                contract_id: string;
                chain_id: number;
                /** Format: uuid */
                target_id: string;
                /** @enum {string} */
                anomaly_type: "spike" | "drop" | "silence" | "jump" | "deviation" | "frozen" | "stale";
                /** @enum {string} */
                severity: "info" | "warning" | "critical";
                score: number;
                value: number;
                expected: number;
                /** Format: date-time */
                at: string;
            }[];
            trend: {
                /** Format: date-time */
                at: string;
                count: number;
            }[];
            page: number;
            page_size: number;
            total: number;
        };
        NoisyRule: {
            /** Format: uuid */
            rule_id: string;
            name: string;
            /** Format: uuid */
            contract_id: string;
            contract_label: string;
            target_type: string;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            /** @enum {string} */
            mode: "live" | "shadow";
            condition: components["schemas"]["RuleCondition"];
            events: number;
            acknowledged: number;
            fires_per_day: number;
            suggested_threshold: number | null;
            reason: string | null;
        };
        HeliusDelivery: ({
            signature: string;
            slot?: number;
        } & {
            [key: string]: unknown;
        })[];
        InboundText: {
            From: string;
            Body: string;
            MessageSid?: string;
            OptOutType?: string;
        } & {
            [key: string]: unknown;
        };
        AuditEntry: {
            /** Format: uuid */
            id: string;
            action: string;
            actor: {
                /** @enum {string} */
                type: "user" | "api_key" | "staff" | "system" | "link";
                id: string | null;
                name: string | null;
            };
            subject: {
                type: string;
                id: string | null;
            };
            details: {
                [key: string]: unknown;
            };
            request_id: string | null;
            ip: string | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookMessage: {
            /** @enum {string} */
            type: "alert.fired" | "alert.renotified" | "alert.escalated" | "alert.acknowledged" | "alert.resolved" | "alert.retracted" | "alert.test";
            /** Format: date-time */
            timestamp: string;
            data: {
                org: {
                    /** Format: uuid */
                    id: string;
                    name: string;
                };
                /** @enum {string} */
                severity: "info" | "warning" | "critical";
                alerts: components["schemas"]["WebhookAlert"][];
                alerts_left_out: number;
            };
        };
        WebhookAlert: {
            /** Format: uuid */
            event_id: string;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            rule: {
                /** Format: uuid */
                id: string;
                name: string;
            } | null;
            contract: {
                /** Format: uuid */
                id: string;
                label: string;
                address: string;
                url: string | null;
            } | null;
            chain: {
                chain: string;
                name: string;
                chain_id: number;
            };
            title: string;
            message: string;
            value: number | null;
            threshold: number | null;
            clause: string | null;
            operator: string;
            unit: string | null;
            window_seconds: number | null;
            target_type: string;
            decoded: {
                name: string;
                args: {
                    name: string;
                    value: string;
                    label?: string;
                }[];
            } | null;
            transaction: {
                hash: string;
                url: string | null;
            } | null;
            block_number: number | null;
            /** @enum {string} */
            finality: "pending" | "safe" | "finalized" | "retracted";
            /** Format: date-time */
            fired_at: string;
            resolved_at: string | null;
            acknowledged_by: string | null;
            url: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceStatus"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogIn"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"][];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountDelete"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    setTheme: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ThemeUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgotPassword"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPassword"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    previewSignupApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignupApproval"];
                };
            };
        };
    };
    approveSignup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    listOrgs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgSummary"][];
                };
            };
        };
    };
    createOrg: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrgCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Org"];
                };
            };
        };
    };
    getOrg: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Org"];
                };
            };
        };
    };
    deleteOrg: {
        parameters: {
            query: {
                name: string;
            };
            header?: never;
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateOrg: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrgUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Org"];
                };
            };
        };
    };
    switchOrg: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    leaveOrg: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"][];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    getOrgSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgSettings"];
                };
            };
        };
    };
    updateOrgSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrgSettingsUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgSettings"];
                };
            };
        };
    };
    listInvites: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invite"][];
                };
            };
        };
    };
    createInvite: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invite"];
                };
            };
        };
    };
    revokeInvite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
                invite_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    previewInvite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitePreview"];
                };
            };
        };
    };
    acceptInvite: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    regenerateApiKey: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
        };
    };
    getApiKeyUsageSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyUsageSummary"];
                };
            };
        };
    };
    getApiKeyUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyUsage"];
                };
            };
        };
    };
    startCheckout: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
        };
    };
    openBillingPortal: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Portal"];
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"][];
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"] | null;
                };
            };
        };
    };
    receiveBillingEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingEvent"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    listChains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chain"][];
                };
            };
        };
    };
    getDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Demo"];
                };
            };
        };
    };
    startDemo: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Demo"];
                };
            };
        };
    };
    removeDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Demo"];
                };
            };
        };
    };
    listDemoIncidents: {
        parameters: {
            query: {
                block: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DemoIncident"][];
                };
            };
        };
    };
    listContracts: {
        parameters: {
            query?: {
                chain?: string;
                status?: "PENDING" | "MONITORING" | "PAUSED" | "ERROR";
                category?: "lending" | "dex" | "bridge" | "oracle" | "governance" | "token" | "vault" | "proxy" | "safe" | "wallet" | "other";
                label?: string;
                q?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"][];
                };
            };
        };
    };
    createContract: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContractCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"];
                };
            };
        };
    };
    bulkImportContracts: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkImport"];
                "text/csv": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkImportResult"];
                };
            };
        };
    };
    importFromDefender: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DefenderImport"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DefenderImportResult"];
                };
            };
        };
    };
    getContract: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"];
                };
            };
        };
    };
    deleteContract: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    updateContract: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContractUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"];
                };
            };
        };
    };
    pauseContract: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"];
                };
            };
        };
    };
    resumeContract: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"];
                };
            };
        };
    };
    getLiveMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveMetric"][];
                };
            };
        };
    };
    listLabels: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Label"][];
                };
            };
        };
    };
    replaceLabels: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LabelsReplace"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Label"][];
                };
            };
        };
    };
    createLabel: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LabelCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Label"];
                };
            };
        };
    };
    deleteLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contract_id: string;
                label_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    listContractAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractAccess"][];
                };
            };
        };
    };
    grantContractAccess: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContractAccessCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractAccess"];
                };
            };
        };
    };
    revokeContractAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contract_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    inspectContract: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InspectRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inspection"];
                };
            };
        };
    };
    analyseContract: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractAnalysis"];
                };
            };
        };
    };
    getProxyState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProxyState"];
                };
            };
        };
    };
    getBridgeConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeConfig"];
                };
            };
        };
    };
    listTargetTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TargetTypeInfo"][];
                };
            };
        };
    };
    listTargets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Target"][];
                };
            };
        };
    };
    createTarget: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TargetCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Target"];
                };
            };
        };
    };
    getTarget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                target_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Target"];
                };
            };
        };
    };
    deleteTarget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                target_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    updateTarget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                target_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TargetUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Target"];
                };
            };
        };
    };
    getTargetSeries: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                aggregation?: "each" | "last" | "avg" | "min" | "max" | "sum" | "count" | "rate" | "p95";
                window_seconds?: number;
            };
            header?: never;
            path: {
                target_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TargetSeries"];
                };
            };
        };
    };
    listAlertTemplates: {
        parameters: {
            query: {
                category: "recommended" | "lending" | "dex" | "bridge" | "oracle" | "governance" | "token" | "vault" | "proxy" | "safe" | "wallet" | "other";
            };
            header?: never;
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertTemplate"][];
                };
            };
        };
    };
    applyAlertTemplates: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertTemplatesApply"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertTemplatesApplied"];
                };
            };
        };
    };
    listAlertRules: {
        parameters: {
            query?: {
                contract_id?: string;
                agent_id?: string;
                severity?: "info" | "warning" | "critical";
                state?: "ok" | "pending" | "firing" | "no_data" | "error";
                target_type?: string;
                channel_id?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"][];
                };
            };
        };
    };
    createAlertRule: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertRuleCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
        };
    };
    listAlertHistory: {
        parameters: {
            query?: {
                contract_id?: string;
                severity?: "info" | "warning" | "critical";
                from?: string;
                to?: string;
                limit?: number;
                offset?: number;
                cursor?: string;
                status?: "firing" | "occurred" | "acknowledged" | "resolved" | "retracted";
                kind?: "fired" | "no_data" | "error" | "test";
                chain?: string;
                target_type?: string;
                acknowledged?: boolean;
                agent_id?: string;
                rule_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertEvent"][];
                };
            };
        };
    };
    exportAlertHistory: {
        parameters: {
            query?: {
                contract_id?: string;
                severity?: "info" | "warning" | "critical";
                from?: string;
                to?: string;
                status?: "firing" | "occurred" | "acknowledged" | "resolved" | "retracted";
                kind?: "fired" | "no_data" | "error" | "test";
                chain?: string;
                target_type?: string;
                acknowledged?: boolean;
                agent_id?: string;
                rule_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    backtestAlertRule: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BacktestRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BacktestResult"];
                };
            };
        };
    };
    previewAlertMessages: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessagePreviewRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePreviews"];
                };
            };
        };
    };
    getAlertRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
        };
    };
    deleteAlertRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    updateAlertRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertRuleUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
        };
    };
    listAlertRuleHistory: {
        parameters: {
            query?: {
                contract_id?: string;
                severity?: "info" | "warning" | "critical";
                from?: string;
                to?: string;
                limit?: number;
                offset?: number;
                cursor?: string;
                status?: "firing" | "occurred" | "acknowledged" | "resolved" | "retracted";
                kind?: "fired" | "no_data" | "error" | "test";
                chain?: string;
                target_type?: string;
                acknowledged?: boolean;
            };
            header?: never;
            path: {
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertEvent"][];
                };
            };
        };
    };
    testAlertRule: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FireDrill"];
                };
            };
        };
    };
    acknowledgeAlertEvents: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventsAcknowledge"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsAcknowledged"];
                };
            };
        };
    };
    getAlertEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertEvent"];
                };
            };
        };
    };
    acknowledgeAlertEvent: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertEvent"];
                };
            };
        };
    };
    listPolicies: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"][];
                };
            };
        };
    };
    createPolicy: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    getPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    deletePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    updatePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    listChannels: {
        parameters: {
            query?: {
                type?: "inbox" | "email" | "slack" | "discord" | "telegram" | "webhook" | "pagerduty" | "opsgenie" | "sms" | "teams";
                status?: "ok" | "failing" | "disabled";
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"][];
                };
            };
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
        };
    };
    listChannelTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelTypeInfo"][];
                };
            };
        };
    };
    testNewChannel: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelTest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelTested"];
                };
            };
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
        };
    };
    deleteChannel: {
        parameters: {
            query?: {
                replace_with?: string;
                force?: boolean;
            };
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    updateChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
        };
    };
    getRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientPreview"];
                };
            };
        };
    };
    confirmRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    testChannel: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelTested"];
                };
            };
        };
    };
    listSmsNumbers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmsNumber"][];
                };
            };
        };
    };
    requestSmsCode: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SmsNumberCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmsNumberRequested"];
                };
            };
        };
    };
    confirmSmsNumber: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                number_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SmsCode"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmsNumber"];
                };
            };
        };
    };
    deleteSmsNumber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                number_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                status?: "queued" | "sending" | "sent" | "failed" | "skipped" | "silenced";
                channel_id?: string;
                event_id?: string;
                from?: string;
                to?: string;
                limit?: number;
                offset?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"][];
                };
            };
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    getInbox: {
        parameters: {
            query?: {
                is_unread?: boolean;
                to?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inbox"];
                };
            };
        };
    };
    markInboxRead: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InboxRead"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxCount"];
                };
            };
        };
    };
    listSilences: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"][];
                };
            };
        };
    };
    createSilence: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SilenceCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
        };
    };
    getSilence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                silence_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
        };
    };
    deleteSilence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                silence_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    updateSilence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                silence_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SilenceUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
        };
    };
    listDiscoveryChains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chain"][];
                };
            };
        };
    };
    listWalletDiscoveries: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletDiscovery"][];
                };
            };
        };
    };
    startWalletDiscovery: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletDiscoveryCreate"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletDiscovery"];
                };
            };
        };
    };
    getWalletDiscovery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletDiscovery"];
                };
            };
        };
    };
    deleteWalletDiscovery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    importWalletDiscovery: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletDiscoveryImport"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletDiscoveryImportResult"];
                };
            };
        };
    };
    exportConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigDocument"];
                };
            };
        };
    };
    applyConfig: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfigApply"];
                "application/yaml": components["schemas"]["ConfigApply"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigPlan"];
                };
            };
        };
    };
    getDashboardStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardStats"];
                };
            };
        };
    };
    streamDashboard: {
        parameters: {
            query?: {
                last_event_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    getActivity: {
        parameters: {
            query?: {
                contract_id?: string;
                chain_id?: number;
                severity?: "info" | "warning" | "critical";
                from?: string;
                to?: string;
                page?: number;
                page_size?: number;
                target_type?: string;
                status?: "firing" | "occurred" | "acknowledged" | "resolved" | "retracted";
                bucket?: "minute" | "hour" | "day" | "week" | "month";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"];
                };
            };
        };
    };
    listOracleFeeds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OracleFeed"][];
                };
            };
        };
    };
    getOraclePrices: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
            };
            header?: never;
            path: {
                contract_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prices"];
                };
            };
        };
    };
    getAnomalies: {
        parameters: {
            query?: {
                contract_id?: string;
                chain_id?: number;
                severity?: "info" | "warning" | "critical";
                from?: string;
                to?: string;
                page?: number;
                page_size?: number;
                anomaly_type?: "spike" | "drop" | "silence" | "jump" | "deviation" | "frozen" | "stale";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Anomalies"];
                };
            };
        };
    };
    listNoisyRules: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoisyRule"][];
                };
            };
        };
    };
    receiveHeliusDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeliusDelivery"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    receiveText: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["InboundText"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/xml": string;
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                action?: string;
                from?: string;
                to?: string;
                limit?: number;
                offset?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntry"][];
                };
            };
        };
    };
    receiveAlert: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookMessage"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
