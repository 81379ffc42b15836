import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cookieNames } from "../../src/http/request/cookies.ts";
import { operations, publicGroups } from "../../src/http/routes/index.ts";
import { hasChromium, launchChromium, reportMissingChromium } from "../support/chromium.ts";
import { goodPassword, harness } from "../support/harness.ts";

reportMissingChromium("the pages");

/** The folder for screenshots; without it none are taken. */
const screenshots = process.env.SCREENSHOTS;
/** Far more than a page needs on an idle machine. */
const timeoutMs = 60_000;
/** The colours matter only to screenshots; test/dashboard checks the contrast of both. */
const schemes = screenshots ? (["light", "dark"] as const) : (["light"] as const);

const h = await harness();
const staffEmail = "staff@example.com";
const guarded = await harness({ env: { SIGNUP_MODE: "approval", STAFF_EMAIL: staffEmail } });
const guardedOrigin = await guarded.server.listen({ port: 0, host: "127.0.0.1" });
const origin = await h.server.listen({ port: 0, host: "127.0.0.1" });

describe("pages over HTTP:", () => {
  test.each([
    ["/redoc", "no-cache"],
    ["/docs/api/contracts", "no-cache"],
    ["/assets/docs.js", "no-cache"],
    ["/login", "no-store"],
    ["/links/invite", "no-store"],
  ])(
    "%s has a content security policy that allows only its own origin, and is cached as %s",
    async (path, caching) => {
      const { status, headers } = await h.anonymous().get(`/${path}`);
      expect([status, headers["cache-control"]]).toEqual([200, caching]);
      expect(headers["content-security-policy"]).toMatch(
        /default-src 'none'.*script-src 'self'.*frame-ancestors/,
      );
      expect(headers["content-security-policy"]).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe/);
    },
  );
});

describe("the built dashboard over HTTP:", () => {
  const signedIn = h.person();

  test.each([
    "/",
    "/alerts",
    "/alerts/events/019a8c1e",
    "/contracts/new",
    "/rules",
    "/channels/new",
    "/silences",
  ])(
    "%s is the app for a visitor with a session, and leads others to the log-in page and back",
    async (path) => {
      const { client } = await signedIn;
      expect((await client.get(`/${path}`)).text).toContain('<div id="root">');
      const { status, headers } = await h.anonymous().get(`/${path}`);
      const next = path === "/" ? "" : `?next=${encodeURIComponent(path)}`;
      expect([status, headers.location]).toEqual([302, `/login${next}`]);
    },
  );

  test("an unknown path is the dashboard's not-found page for a browser, and a JSON error for a program", async () => {
    const cookie = `${cookieNames.user}=any`;
    const get = (url: string, headers: Record<string, string>) => h.server.inject({ url, headers });
    for (const path of ["/nothing", "/api/v1/nothing"]) {
      const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
      const page = await get(path, { accept, cookie });
      expect([page.statusCode, page.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
      expect(page.body).toContain('<div id="root">');
      const { location } = (await get(path, { accept })).headers;
      expect(location).toBe(`/login?next=${encodeURIComponent(path)}`);
      for (const one of ["*/*", "application/json"]) {
        const reply = await get(path, { accept: one, cookie });
        expect([reply.statusCode, reply.json().code]).toEqual([404, "not_found"]);
      }
    }
  });

  test("a page has a new nonce for each response, and no inline script or style", async () => {
    const nonces = [];
    for (let round = 0; round < 2; round++) {
      const { text, headers } = await h.anonymous().get("//login");
      const nonce = /'nonce-([^']+)'/.exec(headers["content-security-policy"] ?? "")?.[1];
      expect(text).toContain(`nonce="${nonce}"`);
      expect(text).not.toMatch(/__NONCE__|__THEME__|<style|<script(?![^>]* src=)|style="|unsafe-inline/);
      expect(headers["content-security-policy"]).not.toContain("unsafe-inline");
      nonces.push(nonce);
    }
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test.each(["dark", "light"])(
    "a page has the theme %s of the cookie before its scripts run",
    async (theme) => {
      const client = h.anonymous();
      client.cookies.set("theme", theme);
      expect((await client.get("//login")).text).toContain(`data-theme="${theme}"`);
      client.cookies.set("theme", '"><script>');
      expect((await client.get("//login")).text).toContain('data-theme="system"');
    },
  );

  test("an asset is compressed, cached for ever and not sent again", async () => {
    const { text } = await h.anonymous().get("//login");
    const asset = /\/assets\/auth-[\w-]+\.js/.exec(text)?.[0] ?? "";
    const plain = await h.anonymous().get(`/${asset}`);
    expect(plain).toMatchObject({
      status: 200,
      headers: { "content-type": "text/javascript; charset=utf-8" },
    });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    for (const encoding of ["br", "gzip"]) {
      const reply = await h.anonymous().get(`/${asset}`, { headers: { "accept-encoding": encoding } });
      expect(reply.headers).toMatchObject({
        "content-encoding": encoding,
        "cache-control": "public, max-age=31536000, immutable",
        vary: "accept-encoding",
      });
      expect(Number(reply.headers["content-length"])).toBeLessThan(plain.text.length / 2);
    }
    const headers = { "if-none-match": plain.headers.etag ?? "" };
    expect((await h.anonymous().get(`/${asset}`, { headers })).status).toBe(304);
    expect((await h.anonymous().get("//assets/missing.js")).status).toBe(404);
  });
});

describe("pages in a browser:", () => {
  let browser: Browser;
  beforeAll(async () => {
    if (hasChromium) browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  /** Opens a page, runs `check`, and expects no requests to other origins and no console errors. */
  async function visit(
    path: string,
    check: (page: Page) => Promise<void>,
    scheme: "light" | "dark" = "light",
    expected: string[] = [],
  ) {
    const context = await browser.newContext({ colorScheme: scheme });
    context.setDefaultTimeout(timeoutMs);
    const page = await context.newPage();
    const requested: string[] = [];
    const errors: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    page.on("pageerror", (error) => errors.push(error.message));
    const isExpected = (text: string) => expected.some((part) => text.includes(part));
    page.on(
      "console",
      (message) => message.type() === "error" && !isExpected(message.text()) && errors.push(message.text()),
    );
    await page.goto(`${origin}${path}`);
    await check(page);
    if (screenshots) {
      const name = path.replace(/\W+/g, "-").slice(0, 30);
      await page.screenshot({ path: join(screenshots, `page${name}-${scheme}.png`) });
    }
    await context.close();
    const isOurs = (url: string) => url.startsWith(`${origin}/`) || /^(data|blob):/.test(url);
    expect(requested.filter((url) => !isOurs(url))).toEqual([]);
    expect(errors).toEqual([]);
  }

  const it = test.extend<{ chromium: undefined }>({
    chromium: [
      async ({ skip }, use) => {
        if (!hasChromium) skip("there is no browser");
        await use(undefined);
      },
      { auto: true },
    ],
  });

  it.each(schemes)(
    "the API reference shows every public operation, no staff operation, and can be searched (%s)",
    async (scheme) => {
      const check = async (page: Page) => {
        await page.getByRole("heading", { name: "Audit log" }).waitFor();
        const text = await page.locator("body").innerText();
        for (const { operations: shown } of publicGroups)
          for (const { summary } of shown) expect(text).toContain(summary);
        for (const { path } of operations.filter((operation) => operation.path.startsWith("/admin")))
          expect(text).not.toContain(path);
        await page.getByPlaceholder("Search…").fill("accept invite");
        await page.getByRole("heading", { name: "Audit log" }).waitFor({ state: "hidden" });
        await page.getByRole("link", { name: "Accept an invite" }).click();
        await page.getByRole("heading", { name: "Accept an invite" }).waitFor();
      };
      await visit("/redoc", check, scheme);
    },
  );

  it.each(schemes)("an operation has its fields, and a field leads to its schema (%s)", async (scheme) => {
    const check = async (page: Page) => {
      await page.getByRole("heading", { name: "Create an alert rule" }).waitFor();
      await page.getByRole("cell", { name: "cooldown_seconds", exact: true }).first().waitFor();
      await page.getByRole("link", { name: "RuleCondition", exact: true }).first().click();
      await page.getByRole("heading", { name: "RuleCondition" }).waitFor();
    };
    await visit("/docs/api/alerts", check, scheme);
  });

  it.each(schemes)("a mailed link without its token shows that it is incomplete (%s)", async (scheme) => {
    const check = async (page: Page) => {
      await page.getByText("This link is incomplete.").waitFor();
    };
    await visit("/links/verify-email", check, scheme);
  });

  it("a verification link confirms the address only when the button is pressed", async () => {
    const { client, user } = await h.signUp();
    const token = await h.mailedToken(user.email);
    await visit(`/links/verify-email#${token}`, async (page) => {
      const button = page.getByRole("button", { name: "Confirm address" });
      await button.waitFor();
      expect((await client.get("/auth/me")).body).toMatchObject({ is_verified: false });
      if (screenshots) await page.screenshot({ path: join(screenshots, "verify-before.png") });
      await button.click();
      await page.getByText("Your address is confirmed.").waitFor();
      expect((await client.get("/auth/me")).body).toMatchObject({ is_verified: true });
    });
  });

  it.each(schemes)("a password reset link sets a new password (%s)", async (scheme) => {
    const { client, user } = await h.person();
    await client.post("/auth/forgot-password", { email: user.email });
    const token = await h.mailedToken(user.email);
    const check = async (page: Page) => {
      await page.getByLabel("New password").fill("another phrase of four words");
      if (screenshots) await page.screenshot({ path: join(screenshots, `reset-before-${scheme}.png`) });
      await page.keyboard.press("Enter");
      await page.getByText("Your new password is set.").waitFor();
    };
    await visit(`/links/reset-password#${token}`, check, scheme);
    const login = { email: user.email, password: "another phrase of four words" };
    expect((await h.anonymous().post("/auth/login", login)).status).toBe(200);
  });

  it.each(schemes)("an invite link shows the invited address (%s)", async (scheme) => {
    const ada = await h.personOn("team");
    const email = `grace.${scheme}@example.com`;
    await ada.client.post(`/orgs/${ada.org_id}/invites`, { email, role: "member" });
    const token = await h.mailedToken(email);
    const check = async (page: Page) => {
      await page.getByText(email).waitFor();
      const link = page.getByRole("link", { name: "Create an account" });
      expect(await link.getAttribute("href")).toContain(`email=${encodeURIComponent(email)}&next=`);
    };
    await visit(`/links/invite#${token}`, check, scheme, ["401"]);
  });

  it.each(schemes)("an approval link shows the applicant and approves the sign-up (%s)", async (scheme) => {
    const email = `grace.${scheme}@example.com`;
    const signUp = { email, password: goodPassword, name: "Grace <b>Hopper</b>" };
    await guarded.anonymous().post("/auth/signup", signUp);
    const token = await guarded.mailedToken(staffEmail);
    const page = await browser.newPage({ colorScheme: scheme });
    page.setDefaultTimeout(timeoutMs);
    await page.goto(`${guardedOrigin}/links/approve-signup#${token}`);
    await page.getByText("Grace <b>Hopper</b>", { exact: true }).waitFor();
    if (screenshots) await page.screenshot({ path: join(screenshots, `approve-${scheme}.png`) });
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Approved.").waitFor();
    await page.close();
    expect((await guarded.anonymous().post("/auth/login", { email, password: goodPassword })).status).toBe(
      200,
    );
  });
});
