import { expect, test } from "vitest";
import type { User } from "../../../src/wire/accounts/auth.ts";
import { goodPassword, type Harness, harness } from "../../support/harness.ts";

const h = await harness();
const behindProxy = await harness({ env: { PUBLIC_URL: "https://tocsin.example" } });
const person = await h.person();
const proxied = await behindProxy.person();
const staff = await h.staff();

type Headers = Record<string, string>;
type Case = [what: string, status: number, headers: Headers];

const host = "tocsin.test";
const ownOrigin = `http://${host}`;

/** Sends exactly these headers; the test client would add an origin. */
async function send(
  one: Harness,
  method: "GET" | "POST" | "PATCH",
  path: string,
  headers: Headers,
  payload?: object,
) {
  const response = await one.server.inject({
    method,
    url: `/api/v1${path}`,
    headers: { host, ...headers },
    ...(payload && { payload }),
  });
  const body = response.payload ? response.json() : undefined;
  return { status: response.statusCode, code: body?.code, body };
}

const cookieOf = (client: { cookies: Map<string, string> }) => ({
  cookie: [...client.cookies].map((pair) => pair.join("=")).join("; "),
});

const foreign: Case[] = [
  ["another site's Origin", 403, { origin: "https://evil.example" }],
  ["the Origin null of a sandbox", 403, { origin: "null" }],
  ["an Origin that is not a URL", 403, { origin: "tocsin.test" }],
  ["the service's host on another port", 403, { origin: `${ownOrigin}:8443` }],
  ["a host that starts with the service's", 403, { origin: `${ownOrigin}.evil.example` }],
  ["the service's host as a user name", 403, { origin: `${ownOrigin}@evil.example` }],
  ["Sec-Fetch-Site cross-site", 403, { "sec-fetch-site": "cross-site" }],
  ["Sec-Fetch-Site same-site", 403, { "sec-fetch-site": "same-site" }],
  [
    "Sec-Fetch-Site cross-site with the service's Origin",
    403,
    { "sec-fetch-site": "cross-site", origin: ownOrigin },
  ],
  [
    "a foreign Origin with Sec-Fetch-Site same-origin",
    403,
    { "sec-fetch-site": "same-origin", origin: "https://evil.example" },
  ],
  ["an unknown Sec-Fetch-Site", 403, { "sec-fetch-site": "elsewhere" }],
];
const ours: Case[] = [
  ["the service's Origin", 200, { origin: ownOrigin }],
  ["Sec-Fetch-Site same-origin", 200, { "sec-fetch-site": "same-origin" }],
  ["Sec-Fetch-Site none, as typed by a person", 200, { "sec-fetch-site": "none" }],
];

test.each<Case>([...foreign, ...ours, ["neither Origin nor Sec-Fetch-Site", 403, {}]])(
  "a write request with a session cookie and %s gets %i",
  async (_what, status, headers) => {
    await person.client.patch("/auth/me/theme", { theme: "light" });
    const all = { ...cookieOf(person.client), ...headers };
    const reply = await send(h, "PATCH", "/auth/me/theme", all, { theme: "dark" });
    expect(reply).toMatchObject(status === 403 ? { status, code: "csrf" } : { status });
    const { theme } = (await person.client.get("/auth/me")).body as User;
    expect(theme).toBe(status === 403 ? "light" : "dark");
  },
);

test.each<Case>([...foreign, ...ours, ["neither header, as from curl", 200, {}]])(
  "a log-in without a cookie and with %s gets %i",
  async (_what, status, headers) => {
    const body = { email: person.user.email, password: goodPassword };
    h.clock.advance(15 * 60);
    const reply = await send(h, "POST", "/auth/login", headers, body);
    expect(reply).toMatchObject(status === 403 ? { status, code: "csrf" } : { status });
  },
);

test.each(foreign)(
  "a read request with a session cookie and %s is allowed",
  async (_what, _status, headers) => {
    expect(await send(h, "GET", "/auth/me", { ...cookieOf(person.client), ...headers })).toMatchObject({
      status: 200,
    });
  },
);

test.each<Case>([...foreign, ["neither Origin nor Sec-Fetch-Site", 403, {}], ...ours])(
  "a write request with the staff cookie and %s gets %i",
  async (_what, status, headers) => {
    const all = { ...cookieOf(staff), ...headers };
    const reply = await send(h, "PATCH", "/admin/chains/base", all, { is_enabled: true });
    expect(reply).toMatchObject(status === 403 ? { status, code: "csrf" } : { status });
  },
);

test("a page of another origin cannot log a user out", async () => {
  const reply = await send(h, "POST", "/auth/logout", {
    ...cookieOf(person.client),
    origin: "https://evil.example",
  });
  expect(reply).toMatchObject({ status: 403, code: "csrf" });
  expect((await person.client.get("/auth/me")).status).toBe(200);
});

test("the origin of PUBLIC_URL is accepted regardless of the Host header behind a proxy", async () => {
  const patch = (origin: string) =>
    send(
      behindProxy,
      "PATCH",
      "/auth/me/theme",
      { ...cookieOf(proxied.client), host: "10.0.0.7:8080", origin },
      { theme: "dark" },
    );
  expect(await patch("https://tocsin.example")).toMatchObject({ status: 200 });
  for (const origin of ["http://tocsin.example", "https://tocsin.example:444", "https://tocsin.test"]) {
    expect(await patch(origin)).toMatchObject({ status: 403, code: "csrf" });
  }
});

test("an Authorization header does not bypass the origin check of staff operations", async () => {
  for (const authorization of ["Bearer tocsin_x", "Basic YTpi"]) {
    const headers = { ...cookieOf(staff), authorization, origin: "https://evil.example" };
    const reply = await send(h, "PATCH", "/admin/chains/base", headers, { is_enabled: false });
    expect(reply).toMatchObject({ status: 403, code: "csrf" });
  }
});

test("a request with an API key and no cookie is accepted from any origin", async () => {
  const headers = { authorization: "Bearer tocsin_x", origin: "https://app.example" };
  expect(await send(h, "POST", "/orgs", headers, { name: "x" })).toMatchObject({
    status: 401,
    code: "api_key_invalid",
  });
});

test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])(
  "a body of type %s, which an HTML form can send, is rejected",
  async (type) => {
    const response = await h.server.inject({
      method: "PATCH",
      url: "/api/v1/auth/me/theme",
      headers: { host, origin: ownOrigin, ...cookieOf(person.client), "content-type": type },
      payload: '{"theme":"dark"}',
    });
    expect(response.statusCode).toBe(415);
  },
);
