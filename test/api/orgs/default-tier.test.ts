import { expect, test } from "vitest";
import type { Org } from "../../../src/wire/orgs/orgs.ts";
import { harness } from "../../support/harness.ts";

const address = (number: number) => `0x${String(number).padStart(40, "0")}`;

/** The tiers of the org of a sign-up and of an org that the user creates. */
async function tiersWith(env: Record<string, string>): Promise<string[]> {
  const h = await harness({ env });
  const { client } = await h.signUp();
  await client.post("/orgs", { name: "Second" });
  return ((await client.get("/orgs")).body as Org[]).map(({ tier }) => tier);
}

test("without a payment processor, new orgs have the highest tier and add more contracts than Free allows", async () => {
  const h = await harness({ env: { DEFAULT_TIER: "" } });
  const { client } = await h.signUp();
  expect((await client.get("/orgs")).body).toMatchObject([{ tier: "enterprise" }]);
  for (let number = 1; number <= 6; number++) {
    const reply = await client.post("/contracts", {
      chain: "ethereum",
      address: address(number),
      label: "Token",
    });
    expect(reply.status).toBe(200);
  }
});

test("with a payment processor, new orgs have the tier Free", async () => {
  const stripe = { STRIPE_SECRET_KEY: "sk_test_123", STRIPE_WEBHOOK_SECRET: "whsec_1234567890123456" };
  expect(await tiersWith({ DEFAULT_TIER: "", ...stripe })).toEqual(["free", "free"]);
});

test("DEFAULT_TIER sets the tier of new orgs", async () => {
  expect(await tiersWith({ DEFAULT_TIER: "pro" })).toEqual(["pro", "pro"]);
});
