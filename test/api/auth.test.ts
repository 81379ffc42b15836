import { expect, test } from "vitest";
import { goodPassword, harness } from "../harness.ts";

const h = await harness();

test("signing up makes an account with a personal org and a session", async () => {
  const ada = await h.person("ada");
  const orgs = await ada.client.get("/orgs");
  expect(orgs.body).toMatchObject([
    { id: ada.org_id, name: "ada's organisation", role: "admin", tier: "free" },
  ]);
  expect((await ada.client.get("/auth/me")).body).toEqual(ada.user);
});

test("a second account with the same address is refused, whatever its case", async () => {
  const { user } = await h.person();
  const reply = await h
    .anyone()
    .post("/auth/signup", { email: user.email.toUpperCase(), password: goodPassword });
  expect(reply).toMatchObject({ status: 409, body: { code: "email_taken" } });
});
