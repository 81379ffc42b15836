import { expect, test } from "vitest";
import { AppError, InvalidRequest } from "../../src/errors/app-error.ts";
import { toErrorReply } from "../../src/http/reply/failures.ts";
import { harness } from "../harness.ts";

const faults = { hit: async () => Promise.reject(new Error("kaboom in /srv/secret.ts")) };
const h = await harness({ faults });

/** An error as the database driver throws it. */
const coded = (code: string, message = "secret detail") => Object.assign(new Error(message), { code });

test.each(["22001", "22003", "22007", "22021", "22P02", "22P05"])(
  "data that the database cannot hold (%s) is the request's fault",
  (code) => {
    expect(toErrorReply(coded(code))).toEqual({
      status: 422,
      body: { detail: [{ loc: ["body"], msg: expect.any(String), type: "value_error" }] },
    });
  },
);

test.each(["23502", "23503", "23505", "23514", "23P01"])("a broken constraint (%s) is a conflict", (code) => {
  expect(toErrorReply(coded(code))).toMatchObject({ status: 409, body: { code: "conflict" } });
});

test.each([
  "08000",
  "08006",
  "40001",
  "40P01",
  "53100",
  "53200",
  "53300",
  "55P03",
  "57014",
  "57P01",
  "57P02",
  "57P03",
  "58030",
  "25006",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
])("a database that is away, full, busy or locked (%s) is a matter of time", (code) => {
  expect(toErrorReply(coded(code))).toEqual({
    status: 503,
    body: { detail: expect.any(String), code: "unavailable" },
    retryAfterSeconds: expect.any(Number),
  });
});

test.each([
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Query read timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
])("a connection that broke (%s) is a matter of time", (message) => {
  expect(toErrorReply(new Error(message))).toMatchObject({
    status: 503,
    retryAfterSeconds: expect.any(Number),
  });
});

test("a missing socket is a database that is away; a missing file is our own mistake", () => {
  const missing = (syscall: string) => Object.assign(coded("ENOENT"), { syscall });
  expect(toErrorReply(missing("connect")).status).toBe(503);
  expect(toErrorReply(missing("open")).status).toBe(500);
});

test.each([
  ["a bug", new TypeError("Cannot read properties of undefined (reading 'password')")],
  ["a wrong statement", coded("42P01", 'relation "users" does not exist')],
  ["a damaged database", coded("XX001")],
  ["a text", "secret detail"],
  ["nothing", undefined],
  ["a foreign status", Object.assign(new Error("secret detail"), { statusCode: 599 })],
])("%s is answered with 500 and none of its words", (_, error) => {
  const failed = toErrorReply(error);
  expect(failed).toMatchObject({ status: 500, body: { code: "internal" } });
  expect(JSON.stringify(failed)).not.toMatch(/secret|relation|undefined|password/);
});

test("our own refusals keep their words", () => {
  expect(toErrorReply(new AppError("not_found", "There is no such thing."))).toMatchObject({
    status: 404,
    body: { detail: "There is no such thing.", code: "not_found" },
  });
  const issue = { loc: ["body", "a"], msg: "is wrong", type: "value_error" };
  expect(toErrorReply(new InvalidRequest([issue]))).toMatchObject({ status: 422, body: { detail: [issue] } });
});

test("what nobody foresaw is logged whole under the request's name and told to nobody", async () => {
  const reply = await h
    .anyone()
    .post("/auth/signup", { email: "ada@example.com", password: "a phrase of mine!" });
  expect(reply).toMatchObject({ status: 500, body: { code: "internal" } });
  expect(reply.text).not.toMatch(/kaboom|secret|stack|\.ts/);
  const id = reply.headers["x-request-id"] ?? "";
  const line = h.lines.find((one) => one.includes(id) && one.includes("kaboom"));
  expect(line).toContain('"stack"');
  expect(line).not.toContain("a phrase of mine!");
});
