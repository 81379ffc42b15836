import { expect, test } from "vitest";
import { AppError, InvalidRequest } from "../../src/errors/app-error.ts";
import { toErrorReply } from "../../src/http/reply/failures.ts";
import { harness } from "../support/harness.ts";

const faults = { hit: async () => Promise.reject(new Error("kaboom in /srv/secret.ts")) };
const h = await harness({ faults });

/** An error with a code, as the database driver throws it. */
const coded = (code: string, message = "secret detail") => Object.assign(new Error(message), { code });

test.each(["22001", "22003", "22007", "22021", "22P02", "22P05"])(
  "the database error %s for invalid data gets 422",
  (code) => {
    expect(toErrorReply(coded(code))).toEqual({
      status: 422,
      body: { detail: [{ loc: ["body"], msg: expect.any(String), type: "value_error" }] },
    });
  },
);

test.each(["23502", "23503", "23505", "23514", "23P01"])(
  "the database error %s for a violated constraint gets 409",
  (code) => {
    expect(toErrorReply(coded(code))).toMatchObject({ status: 409, body: { code: "conflict" } });
  },
);

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
])("the database error %s for an unavailable database gets 503", (code) => {
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
])("the connection error (%s) gets 503", (message) => {
  expect(toErrorReply(new Error(message))).toMatchObject({
    status: 503,
    retryAfterSeconds: expect.any(Number),
  });
});

test("ENOENT on connect gets 503, and on open 500", () => {
  const missing = (syscall: string) => Object.assign(coded("ENOENT"), { syscall });
  expect(toErrorReply(missing("connect")).status).toBe(503);
  expect(toErrorReply(missing("open")).status).toBe(500);
});

test.each([
  ["a bug", new TypeError("Cannot read properties of undefined (reading 'password')")],
  ["an invalid SQL statement", coded("42P01", 'relation "users" does not exist')],
  ["a damaged database", coded("XX001")],
  ["a thrown string", "secret detail"],
  ["a thrown undefined", undefined],
  ["a foreign status", Object.assign(new Error("secret detail"), { statusCode: 599 })],
])("%s gets 500 without revealing the message", (_, error) => {
  const failed = toErrorReply(error);
  expect(failed).toMatchObject({ status: 500, body: { code: "internal" } });
  expect(JSON.stringify(failed)).not.toMatch(/secret|relation|undefined|password/);
});

test("an AppError keeps its message and code in the reply", () => {
  expect(toErrorReply(new AppError("not_found", "There is no such thing."))).toMatchObject({
    status: 404,
    body: { detail: "There is no such thing.", code: "not_found" },
  });
  const issue = { loc: ["body", "a"], msg: "is wrong", type: "value_error" };
  expect(toErrorReply(new InvalidRequest([issue]))).toMatchObject({ status: 422, body: { detail: [issue] } });
});

test("an unexpected error is logged in full with the request id and not revealed to the caller", async () => {
  const reply = await h
    .anonymous()
    .post("/auth/signup", { email: "ada@example.com", password: "a phrase of mine!" });
  expect(reply).toMatchObject({ status: 500, body: { code: "internal" } });
  expect(reply.text).not.toMatch(/kaboom|secret|stack|\.ts/);
  const id = reply.headers["x-request-id"] ?? "";
  const line = h.lines.find((one) => one.includes(id) && one.includes("kaboom"));
  expect(line).toContain('"stack"');
  expect(line).not.toContain("a phrase of mine!");
});
