import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll } from "vitest";
import { composeApp } from "../../src/app.ts";
import { parseConfig } from "../../src/config.ts";
import { queueVerification } from "../../src/domain/accounts/email-verification.ts";
import { systemCaller } from "../../src/domain/caller.ts";
import { changeAnyOrg } from "../../src/domain/orgs/platform.ts";
import { inTransaction } from "../../src/domain/transaction.ts";
import { type Faults, noFaults } from "../../src/faults.ts";
import { deadlineOf } from "../../src/http/mount.ts";
import { makeServer } from "../../src/http/server.ts";
import type { StreamPace } from "../../src/http/stream/hub.ts";
import { jobs } from "../../src/jobs/index.ts";
import type { Job } from "../../src/jobs/job.ts";
import { sendMail } from "../../src/jobs/send-mail.ts";
import { makeSharedBus } from "../../src/lib/bus/shared-bus.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { makeWorkerPool } from "../../src/lib/concurrency/worker-pool.ts";
import { makeLog } from "../../src/lib/log/log.ts";
import type { Mail } from "../../src/lib/mail/mailer.ts";
import type { Passwords } from "../../src/lib/passwords/passwords.ts";
import { systemRandom, uuidv7 } from "../../src/lib/random.ts";
import { makeVault } from "../../src/lib/secrets/vault.ts";
import { makeNotifyTransport } from "../../src/store/notify-transport.ts";
import { type Address, openStore } from "../../src/store/open-store.ts";
import type { User } from "../../src/wire/accounts/auth.ts";
import type { Tier } from "../../src/wire/primitives.ts";
import { cheapPasswords, createAccount, createStaffSession, goodPassword } from "./accounts.ts";
import { bundledEntry } from "./bundle.ts";
import { Client } from "./client.ts";
import { cloneDatabase } from "./database.ts";
import { quietChains } from "./quiet-chains.ts";

export { goodPassword };

/** Two enabled chains. No engine runs here, so nothing connects to them. */
const unreadChains = { RPC_LOCAL: "http://127.0.0.1:1", RPC_ETHEREUM: "http://127.0.0.1:1" };
/** No external service is called for contract sources. */
const noSources = { SOURCIFY_URL: "http://127.0.0.1:1" };

/**
 * One pool for all files of a test worker, because the first task of a thread loads its code. A thread of a busy machine is not
 * free within seconds.
 */
const sharedWorkers = makeWorkerPool({ maxWaitMs: 60_000, maxDelayFactor: 60, locate: bundledEntry });

/** The longest time that a timer can have. */
const noDeadlineMs = 2 ** 31 - 1;

/** A signed-in user with a browser. */
export type Person = { client: Client; user: User; org_id: string };

export type Harness = Awaited<ReturnType<typeof harness>>;

/** The service in this process on its own database, with an adjustable clock and access to mails and log lines. */
export async function harness(
  options: {
    env?: Record<string, string>;
    faults?: Faults;
    address?: Address;
    streamPace?: StreamPace;
    passwords?: Passwords;
    /** True for one of several processes that share a database and a bus. */
    isOneOfMany?: boolean;
    /**
     * True for the time limits of the service. Otherwise statements and requests may take any time, so that a busy machine
     * fails no test.
     */
    hasDeadlines?: boolean;
    /** Other time limits of some operations, in milliseconds. */
    deadlines?: Record<string, number>;
  } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-harness-"));
  const address = options.address ?? (await cloneDatabase());
  const clock = makeTestClock();
  const mails: Mail[] = [];
  const lines: string[] = [];
  const log = makeLog("debug", (line) => lines.push(line));
  const config = parseConfig({
    DATA_DIR: folder,
    SMS_ALLOW: "+1",
    // Quotas are small in this tier, and most tests of them start with it.
    DEFAULT_TIER: "free",
    ...unreadChains,
    ...noSources,
    ...options.env,
  });
  const { db, pool } = openStore(address, log, {
    max: 10,
    ...(!options.hasDeadlines && { isPatient: true, connectTimeoutMs: 120_000 }),
  });
  const bus = options.isOneOfMany
    ? makeSharedBus(makeNotifyTransport(pool, address, systemClock), systemClock)
    : undefined;
  const app = composeApp({
    config,
    ...(bus && { bus }),
    passwords: options.passwords ?? cheapPasswords,
    ...(!options.env?.RPC_LOCAL && { chains: quietChains }),
    clock,
    log,
    db,
    pool,
    vault: makeVault(systemRandom.bytes(32), systemRandom),
    mailer: {
      kind: config.smtpUrl ? "smtp" : "folder",
      send: async (mail) => void mails.push(mail),
      close: async () => undefined,
    },
    faults: options.faults ?? noFaults,
    workers: sharedWorkers,
  });
  const server: FastifyInstance = await makeServer(app, {
    ...(options.streamPace && { streamPace: options.streamPace }),
    deadlineOf: (operation) =>
      options.deadlines?.[operation.id] ?? (options.hasDeadlines ? deadlineOf(operation) : noDeadlineMs),
  });
  await server.ready();

  const close = async () => {
    await server.close();
    app.outbound.close();
    app.services.close();
    await app.chains.close();
    await bus?.close();
    await db.destroy();
    await rm(folder, { recursive: true, force: true });
  };
  afterAll(close);

  let people = 0;
  const anonymous = () => new Client(server);
  const nextName = () => `person${++people}`;
  const uniqueEmail = (name: string) => `${name}.${uuidv7(new Date(), systemRandom).slice(-6)}@example.com`;
  const signUp = async (name = nextName()): Promise<Person> => {
    const client = anonymous();
    const reply = await client.post("/auth/signup", {
      email: uniqueEmail(name),
      password: goodPassword,
      name,
    });
    if (reply.status !== 200) throw new Error(`sign-up failed: ${JSON.stringify(reply.body)}`);
    return { client, user: reply.body as User, org_id: (reply.body as User).active_org_id as string };
  };
  const setTier = async (org_id: string, tier: Tier): Promise<void> => {
    await changeAnyOrg(app, systemCaller, org_id, { tier });
  };
  const openAccount = async (name: string, tier?: Tier): Promise<Person> => {
    if (config.signupMode !== "open") {
      const person = await signUp(name);
      if (tier) await setTier(person.org_id, tier);
      return person;
    }
    const client = anonymous();
    const account = { email: uniqueEmail(name), name, ip: client.ip, tier };
    const { user, token } = await createAccount(app, account);
    client.cookies.set("access_token", token);
    return { client, user, org_id: user.active_org_id as string };
  };
  const runJob = async (job: Job) => {
    while ((await job.run(app)).hasMore);
  };
  const runJobs = async () => {
    for (const job of jobs) await runJob(job);
  };

  return {
    app,
    server,
    /** The address of the database, for child processes. */
    address,
    clock,
    /** The mails that `runJobs` sent. */
    mails,
    /** The log lines so far, as JSON text. */
    lines,
    folder,
    /** A browser without a session, with its own IP address. */
    anonymous,
    /** Runs every job until nothing is due. */
    runJobs,
    /** Signs up a new user through the API. */
    signUp,
    /** Creates a user with a session. Skips the API, and with it the password hash, unless sign-ups need approval. */
    person: (name = nextName()) => openAccount(name),
    /** A person to whom a mail with a link to verify the address is queued. */
    async mailedPerson(): Promise<Person> {
      const person = await openAccount(nextName());
      await inTransaction(app, systemCaller, (tx) => queueVerification(app, tx, person.user));
      return person;
    },
    /** A person whose organisation has a tier from its beginning. */
    personOn: (tier: Tier, name = nextName()) => openAccount(name, tier),
    /** A browser with a staff session. */
    async staff(): Promise<Client> {
      const client = anonymous();
      client.cookies.set("admin_token", await createStaffSession(app, uniqueEmail("staff")));
      return client;
    },
    setTier,
    /** Sends queued mails and returns the token in the newest mail to an address. */
    async mailedToken(to: string): Promise<string> {
      await runJob(sendMail);
      const mail = mails.findLast((one) => one.to === to);
      const token = /\/links\/[\w-]+#([\w-]+)/.exec(mail?.text ?? "")?.[1];
      if (!token) throw new Error(`no mail with a link to ${to}`);
      return token;
    },
    close,
  };
}

/** Real time plus an offset that tests advance. A frozen clock moves only by `advance`. */
function makeTestClock(): Clock & { advance(seconds: number): void; freeze(): { release(): void } } {
  let offsetMs = 0;
  let frozenAtMs: number | undefined;
  return {
    now: () => new Date((frozenAtMs ?? systemClock.now().getTime()) + offsetMs),
    sleep: systemClock.sleep,
    freeze() {
      frozenAtMs = systemClock.now().getTime();
      return {
        release() {
          frozenAtMs = undefined;
        },
      };
    },
    advance(seconds) {
      offsetMs += seconds * 1000;
    },
  };
}
