import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cloneDatabase, databaseUrl } from "../support/database.ts";
import { longTest } from "../support/run-size.ts";
import { end, makeDataFolder, run, serve } from "./service.ts";

const password = "correct horse battery staple";

function post(url: string, path: string, body: object, cookie = ""): Promise<Response> {
  return fetch(`${url}/api/v1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url, cookie },
    body: JSON.stringify(body),
  });
}

const cookieOf = (reply: Response) =>
  reply.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

longTest(
  "a backup of a running service starts in a new folder with everything that was acknowledged before it",
  async () => {
    const DATA_DIR = await makeDataFolder();
    const place = await makeDataFolder({ isInitialised: false });
    const backup = join(place, "backup");
    const service = await serve({ DATA_DIR });
    const cookie = cookieOf(await post(service.url, "/auth/signup", { email: "ada@example.com", password }));
    const secret = { type: "webhook", name: "On-call", config: { url: "https://hooks.example.com/secret" } };
    expect((await post(service.url, "/channels", secret, cookie)).status).toBe(200);

    // Sign-ups continue meanwhile: the copy has to be consistent, whichever of them it contains.
    let isDone = false;
    const writing = (async () => {
      for (let number = 0; !isDone; number++)
        await post(service.url, "/channels", { ...secret, name: `Channel ${number}` }, cookie);
    })();
    const made = await run(["backup", backup], { DATA_DIR });
    isDone = true;
    await writing;
    expect(made, made.output).toMatchObject({ code: 0, output: expect.stringContaining("keep it private") });
    expect((await run(["backup", backup], { DATA_DIR })).output).toMatch(
      /exists already\. Name a new folder\./,
    );
    await end(service, "SIGKILL");

    const restored = await makeDataFolder({ isInitialised: false });
    expect((await run(["restore", backup], { DATA_DIR: restored })).code).toBe(0);
    const again = await serve({ DATA_DIR: restored });
    const login = await post(again.url, "/auth/login", { email: "ada@example.com", password });
    expect(login.status).toBe(200);
    const reply = await fetch(`${again.url}/api/v1/channels`, { headers: { cookie: cookieOf(login) } });
    expect(((await reply.json()) as { name: string }[]).map(({ name }) => name)).toContain("On-call");
    // The key of the secrets fits.
    expect((await run(["doctor"], { DATA_DIR: restored })).output).toMatch(
      /ok +Secrets: .* [1-9]\d* sealed values/,
    );
    const refused = () => run(["restore", backup], { DATA_DIR: restored }).then(({ output }) => output);
    expect(await refused()).toMatch(/is already using the data folder/);
    await end(again, "SIGTERM");
    expect(await refused()).toMatch(/exists already\. Set DATA_DIR to a new folder\./);
  },
  120_000,
);

test("a folder that is no complete backup is not restored, and nothing is left behind", async () => {
  const DATA_DIR = await makeDataFolder({ isInitialised: false });
  const { code, output } = await run(["restore", await makeDataFolder()], { DATA_DIR });
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/is not a complete backup: it has no backup\.json/),
  ]);
  expect(await readdir(DATA_DIR)).toEqual([]);
});

test("the database of DATABASE_URL is left to the tools of PostgreSQL", async () => {
  const DATA_DIR = await makeDataFolder({ isInitialised: false });
  const { code, output } = await run(["backup", join(DATA_DIR, "backup")], {
    DATA_DIR,
    DATABASE_URL: databaseUrl(await cloneDatabase()),
  });
  expect([code, output]).toEqual([1, expect.stringMatching(/pg_dump/)]);
});
