import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { OwnerBusy } from "../../lib/concurrency/fair-queue.ts";
import { makeBodyTurns, setBodyOwner } from "./body-turns.ts";

const large = new Uint8Array(64 * 1024);

/** A clock whose pauses end when the test says so. */
function heldClock() {
  const pauses: (() => void)[] = [];
  const clock: Clock = { ...systemClock, sleep: () => new Promise((resolve) => pauses.push(resolve)) };
  /** Ends the pause after a body, which starts the next one. */
  const endPause = async () => {
    await expect.poll(() => pauses.length).toBe(1);
    pauses.pop()?.();
  };
  return { clock, endPause };
}

function requestOf(owner: string): FastifyRequest {
  const request = { ip: "10.0.0.1" } as FastifyRequest;
  setBodyOwner(request, owner);
  return request;
}

test("large bodies are parsed one at a time and in turn by owner, with a pause after each; small ones at once", async () => {
  const { clock, endPause } = heldClock();
  const parseInTurn = makeBodyTurns(clock);
  const parsed: string[] = [];
  const parse = (owner: string, body = large) =>
    parseInTurn(requestOf(owner), body, () => parsed.push(owner));
  const all = ["a", "a", "a", "a", "b", "c"].map((owner) => parse(owner));
  await parse("small", new Uint8Array(100));
  await expect.poll(() => parsed).toEqual(["small", "a"]);
  for (let turn = 0; turn < 6; turn++) await endPause();
  await Promise.all(all);
  expect(parsed).toEqual(["small", "a", "a", "b", "c", "a", "a"]);
});

test("an error of the parser reaches its request and ends the turn; an owner with too many bodies is rejected, others are not", async () => {
  const { clock, endPause } = heldClock();
  const parseInTurn = makeBodyTurns(clock);
  const fail = () => {
    throw new Error("not JSON");
  };
  await expect(parseInTurn(requestOf("a"), large, fail)).rejects.toThrow("not JSON");
  const waiting = Array.from({ length: 20 }, () => parseInTurn(requestOf("a"), large, () => 1));
  await expect(parseInTurn(requestOf("a"), large, () => 1)).rejects.toThrow(OwnerBusy);
  const other = parseInTurn(requestOf("b"), large, () => "parsed");
  for (let turn = 0; turn < 22; turn++) await endPause();
  expect(await other).toBe("parsed");
  expect(await Promise.all(waiting)).toHaveLength(20);
});
