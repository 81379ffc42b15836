import type { Rule } from "../../../src/wire/alerts/rules.ts";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import type { DefenderImportResult } from "../../../src/wire/imports/defender-import.ts";
import type { Person } from "../../support/harness.ts";
import { freshAddress } from "../contracts/contract-steps.ts";

export async function runImport({ client }: Person, body: object): Promise<DefenderImportResult> {
  const reply = await client.post("/contracts/import-from-defender", body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as DefenderImportResult;
}

export const rules = async ({ client }: Person) => (await client.get("/alerts")).body as Rule[];

export const contracts = async ({ client }: Person) => (await client.get("/contracts")).body as Contract[];

export const warningCodes = ({ items }: DefenderImportResult) =>
  items.flatMap(({ warnings }) => warnings.map(({ code }) => code));

export const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

export const ownershipAbi = JSON.stringify([
  {
    anonymous: false,
    type: "event",
    name: "OwnershipTransferred",
    inputs: [
      { indexed: true, name: "previousOwner", type: "address" },
      { indexed: true, name: "newOwner", type: "address" },
    ],
  },
]);

/** A list of monitors in the format of Defender's SDK. */
export const sdkList = (more: object = {}) => ({
  items: [
    {
      monitorId: "8181d9e0-88ce-4db0-802a-2b56e2e6a7b1",
      createdAt: "2025-03-02T10:00:00.000Z",
      type: "BLOCK",
      name: "USDC ownership",
      network: "mainnet",
      blockWatcherId: "mainnet-1",
      paused: false,
      addressRules: [
        {
          addresses: [usdc],
          abi: ownershipAbi,
          conditions: [
            {
              eventConditions: [
                { eventSignature: "OwnershipTransferred(address,address)", expression: null },
              ],
              txConditions: [{ status: "any", expression: "gasPrice > 0" }],
              functionConditions: [],
            },
            {
              eventConditions: [],
              txConditions: [{ status: "any", expression: "gasPrice > 0" }],
              functionConditions: [{ functionSignature: "renounceOwnership()", expression: "" }],
            },
          ],
        },
      ],
      alertThreshold: { amount: 2, windowSeconds: 3600 },
      notifyConfig: {
        severityLevel: "HIGH",
        timeoutMs: 600_000,
        messageSubject: "Owner change",
        messageBody: "{{ monitor.name }} {{ transaction.link }} {{ matchReasons }}",
        notifications: [
          { notificationId: "68e494d7-3b5a-4ffe-bd12-d4e483aa4995", type: "email" },
          {
            notificationId: "e595ce88-f525-4d5d-b4b9-8e859310b6fb",
            type: "slack",
            name: "ops",
            paused: false,
            config: { url: "https://hooks.slack.example/services/A/B/C" },
          },
        ],
      },
      riskCategory: "ACCESS-CONTROL",
      stackResourceId: "mystack.block-example",
      ...more,
    },
  ],
  notificationsQuotaUsage: 3,
  blockProcessedQuotaUsage: 120,
});

/** A Defender monitor with the given fields. */
export const monitor = (more: object = {}) => ({
  monitorId: freshAddress(),
  name: "Hostile",
  network: "mainnet",
  addressRules: [{ addresses: [freshAddress()], conditions: [] }],
  ...more,
});
