/** How to get what the form of a channel type asks for. A type without an entry has no steps. */
export const setUpSteps: Record<string, string[]> = {
  inbox: [
    "Alerts arrive on the page Inbox of this dashboard, for everyone in the organisation who may see the contract.",
    "It needs no other service. Everyone marks messages as read for themselves.",
  ],
  email: [
    "Members of the organisation get alerts at once.",
    "Other recipients get a mail first and must confirm that they want alerts.",
  ],
  slack: [
    "In Slack, open Apps and add Incoming Webhooks.",
    "Choose the Slack channel and copy the webhook URL.",
  ],
  discord: [
    "In Discord, open the settings of a channel, then Integrations, then Webhooks.",
    "Create a webhook and copy its URL.",
  ],
  teams: [
    "In Teams, open the channel's Workflows.",
    "Choose “Post to a channel when a webhook request is received” and copy the URL.",
  ],
  telegram: [
    "Write to @BotFather in Telegram, create a bot and copy its token.",
    "Add the bot to the group, and copy the id of the group or its @name.",
  ],
  webhook: [
    "Alerts are posted as JSON and signed by Standard Webhooks.",
    "The signing secret is shown once after the channel is created.",
  ],
  pagerduty: [
    "In PagerDuty, open the service, then Integrations, and add Events API V2.",
    "Copy the integration key.",
  ],
  opsgenie: [
    "In Opsgenie, open the team, then Integrations, and add API.",
    "Copy the API key, and choose the region of your account.",
  ],
  sms: [
    "Only numbers that an admin confirmed with a code get messages, unless the operator allows their prefix.",
    "Recipients can reply STOP at any time.",
  ],
};
