import { expect, test } from "vitest";
import { harness } from "../../support/harness.ts";
import { teamAdmin } from "../steps.ts";

const h = await harness();

type Document = {
  paths: Record<string, { post?: { requestBody?: { content: Record<string, { example: object }> } } }>;
};

test("the example of creating a policy in the OpenAPI document is accepted", async () => {
  const { paths } = (await h.anonymous().get("//openapi.json")).body as Document;
  const [, path] = Object.entries(paths).find(([key]) => key.endsWith("/policies")) ?? [];
  const example = path?.post?.requestBody?.content["application/json"]?.example;
  expect(example).toMatchObject({ target: { target_type: "ownership_change" } });
  const { client } = await teamAdmin(h);
  expect(await client.post("/policies", example ?? {})).toMatchObject({ status: 201 });
});
