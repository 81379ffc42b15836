import { deflateSync, gzipSync } from "node:zlib";
import { type Address, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit";
import { expect, test } from "vitest";
import { packAccount } from "../../src/chains/solana/accounts/account-state.ts";
import { tokenProgram } from "../../src/chains/solana/accounts/address.ts";
import { findIdl, idlReads } from "../../src/chains/solana/idl/on-chain-idl.ts";
import { metadataAccount, metadataProgram } from "./cluster/metadata-account.ts";
import { tokenIdl } from "./cluster/programs.ts";

const json = Buffer.from(JSON.stringify(tokenIdl));
const program = tokenProgram;

type Parts = Partial<Parameters<typeof metadataAccount>[1]>;

function found(parts: Parts, { of = program, owner = metadataProgram } = {}) {
  const data = metadataAccount(of, { content: json, ...parts });
  const account = {
    ok: true as const,
    data: packAccount({ owner, isExecutable: false, lamports: 1n, data }),
  };
  const { idl, sources } = findIdl([account, { ok: true, data: "0x" }], program);
  return { idl, ...sources[0] };
}

test("the IDL account is the address derived from the program and the seed idl", async () => {
  const seeds = [
    getAddressEncoder().encode(program as Address),
    new TextEncoder().encode("idl".padEnd(16, "\0")),
  ];
  const [address] = await getProgramDerivedAddress({ programAddress: metadataProgram as Address, seeds });
  expect(idlReads(program)[0]).toMatchObject({ kind: "account", address });
});

test.each<[string, Parts]>([
  ["plain", {}],
  ["zlib", { content: deflateSync(json), compression: 2 }],
  ["gzip", { content: gzipSync(json), compression: 1 }],
  ["without an encoding", { encoding: 0 }],
  ["with base64 as its encoding", { encoding: 3 }],
  ["followed by unused space", { content: Buffer.concat([json, Buffer.alloc(500)]), length: json.length }],
])("an IDL stored as JSON is read: %s", (_, parts) => {
  expect(found(parts)).toEqual({ idl: tokenIdl, source: "program_metadata", status: "found", detail: null });
});

test.each<[string, Parts, string, string]>([
  ["at a URL", { source: 1 }, "skipped", "at a URL, which is not fetched"],
  ["in another account", { source: 2 }, "skipped", "in another account, which is not read"],
  ["in YAML", { format: 2 }, "invalid", "not in JSON format"],
  ["of an unknown compression", { compression: 7 }, "invalid", "cannot be decompressed"],
  ["not compressed as declared", { compression: 2 }, "invalid", "cannot be decompressed"],
  [
    "a decompression bomb",
    { content: gzipSync(Buffer.alloc(50_000_000)), compression: 1 },
    "invalid",
    "cannot be decompressed",
  ],
  ["longer than the account", { length: json.length + 1 }, "invalid", "truncated"],
  ["not JSON", { content: Buffer.from("{") }, "invalid", "is not JSON"],
  [
    "JSON without instructions",
    { content: Buffer.from('{"kind":"rootNode"}') },
    "invalid",
    "a list of instructions",
  ],
  [
    "too deeply nested",
    { content: Buffer.from(`{"a":${"[".repeat(90_000)}${"]".repeat(90_000)}}`) },
    "invalid",
    "too deep",
  ],
])("an IDL that is %s is reported and not used", (_, parts, status, detail) => {
  expect(found(parts)).toMatchObject({ idl: undefined, status, detail: expect.stringContaining(detail) });
});

test("a metadata account that is not canonical, of another program or incomplete is ignored", () => {
  const none = { idl: undefined, status: "not_found" };
  expect(found({ isCanonical: false })).toMatchObject(none);
  expect(found({ kind: 1 })).toMatchObject(none);
  expect(found({ seed: "security" })).toMatchObject(none);
  expect(found({}, { of: metadataProgram })).toMatchObject(none);
  expect(found({}, { owner: tokenProgram })).toMatchObject(none);
  for (let length = 0; length < 96; length++) {
    const data = packAccount({
      owner: metadataProgram,
      isExecutable: false,
      lamports: 1n,
      data: metadataAccount(program, { content: json }).subarray(0, length),
    });
    expect(findIdl([{ ok: true, data }], program).idl).toBeUndefined();
  }
});
