import { parseAddress } from "../../chains/evm/values/address.ts";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import type { TimedReading } from "../meter.ts";
import type { Words } from "../words.ts";
import type { Route } from "./bridge-route.ts";

/** A route that changed; `before` is known only of the route that was the weakest, since the others are not kept. */
export type RouteChange = { before?: Route; after: Route };

/** A few bytes by which a later reading knows which routes changed. */
export function digestsOf(routes: readonly Route[]): Record<string, string> {
  return Object.fromEntries(
    routes.map((route) => [route.eid, keccakOfText(JSON.stringify(route)).slice(2, 14)]),
  );
}

/** Finds the routes that differ from the reading before. */
export function routeChanges(routes: readonly Route[], previous: TimedReading | undefined): RouteChange[] {
  const { digests, weakest } = (previous?.evidence ?? {}) as {
    digests?: Record<string, string>;
    weakest?: Route;
  };
  if (!digests) return [];
  const now = digestsOf(routes);
  return routes
    .filter(({ eid }) => digests[eid] !== undefined && digests[eid] !== now[eid])
    .map((after) => (weakest?.eid === after.eid ? { before: weakest, after } : { after }));
}

/** Says what changed about a route: "route from endpoint 30101: peer 0x12…→0x34…". */
export function routeChangeText({ before, after }: RouteChange, words: Words): string {
  const parts = before ? differences(before, after, words) : [stateOf(after, words)];
  return `route from endpoint ${after.eid}: ${parts.join(", ")}`;
}

function differences(before: Route, after: Route, words: Words): string[] {
  const list = (dvns: readonly string[]) => dvns.map((dvn) => words.address(dvn)).join(" and ");
  const listChanges = (name: string, from: readonly string[], to: readonly string[]) => {
    const [removed, added] = [
      from.filter((dvn) => !to.includes(dvn)),
      to.filter((dvn) => !from.includes(dvn)),
    ];
    return [
      ...(removed.length > 0 ? [`${name} ${list(removed)} removed`] : []),
      ...(added.length > 0 ? [`${name} ${list(added)} added`] : []),
    ];
  };
  const value = (name: string, from: unknown, to: unknown) =>
    from === to ? [] : [`${name} ${from ?? "none"} → ${to ?? "none"}`];
  return [
    ...value("peer", peerText(before.peer, words), peerText(after.peer, words)),
    ...listChanges("required verifier", before.required_dvns, after.required_dvns),
    ...listChanges("optional verifier", before.optional_dvns, after.optional_dvns),
    ...value("optional verifiers needed", before.optional_threshold, after.optional_threshold),
    ...value("confirmations", before.confirmations, after.confirmations),
    ...value("receive library", words.address(before.library), words.address(after.library)),
    ...(before.is_default_library === after.is_default_library
      ? []
      : [after.is_default_library ? "back to the default library" : "library now set by the app"]),
    ...(before.is_open === after.is_open ? [] : [after.is_open ? "opened" : "closed"]),
  ];
}

/** What a route is now, when it is not known what it was. */
function stateOf({ peer, required_dvns, optional_dvns, optional_threshold }: Route, words: Words): string {
  const required = required_dvns.map((dvn) => words.address(dvn)).join(" and ") || "no verifier";
  const optional =
    optional_threshold > 0 ? `, and ${optional_threshold} of ${optional_dvns.length} optional ones` : "";
  return `changed, now needs ${required}${optional}, peer ${peerText(peer, words)}`;
}

/** A peer on an EVM chain is an address in 32 bytes. */
function peerText(peer: string | null, words: Words): string {
  if (peer === null) return "unknown";
  if (BigInt(peer) === 0n) return "none";
  const address = /^0x0{24}/.test(peer) ? parseAddress(`0x${peer.slice(26)}`) : undefined;
  return address ? words.address(address) : `${peer.slice(0, 6)}…${peer.slice(-4)}`;
}
