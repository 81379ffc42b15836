/** The account of a kept database. */
export const account = { email: "ada@example.com", password: "correct horse battery staple" };

/** What the account reads after an upgrade. */
export function readPaths(contract_id: string): string[] {
  return [
    "/orgs",
    "/contracts",
    `/contracts/${contract_id}/targets`,
    "/alerts",
    "/alerts/history",
    "/channels",
    "/silences",
    "/api-keys",
    "/audit-log",
  ];
}
