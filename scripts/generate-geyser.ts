/** Generates src/chains/solana/stream/geyser-protocol.ts from geyser.proto. The generators are installed for the run only. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const generators = ["@bufbuild/buf@1.74.0", "@bufbuild/protoc-gen-es@2.16.0"];
const folder = "src/chains/solana/stream";
const work = mkdtempSync(join(tmpdir(), "tocsin-geyser-"));
try {
  cpSync(join(folder, "geyser.proto"), join(work, "geyser.proto"));
  const template = {
    version: "v2",
    plugins: [{ local: "protoc-gen-es", out: work, opt: ["target=ts", "import_extension=ts"] }],
  };
  const packages = generators.map((name) => `--package=${name}`);
  const command = [
    "exec",
    "--yes",
    ...packages,
    "--",
    "buf",
    "generate",
    "--template",
    JSON.stringify(template),
  ];
  const { status } = spawnSync("npm", command, { cwd: work, stdio: "inherit" });
  if (status !== 0) throw new Error("buf could not generate the protocol.");
  const generated = readFileSync(join(work, "geyser_pb.ts"), "utf8");
  writeFileSync(join(folder, "geyser-protocol.ts"), withoutReferences(generated));
} finally {
  rmSync(work, { recursive: true });
}

/** Removes the comments that only refer to geyser.proto, and keeps those that explain a field. */
function withoutReferences(source: string): string {
  const reference =
    /^ *\* (@generated from (message|field|oneof|service|rpc)|Describes the |Use `create\().*\n/gm;
  return source
    .replace(reference, "")
    .replace(/^( *\/\*\*\n(?: *\* [^\n]*\n)+?)(?: *\*\n)+( *\*\/\n)/gm, "$1$2")
    .replace(/^ *\/\*\*\n(?: *\*\n)* *\*\/\n/gm, "")
    .replace(/;\n\n(?= {2}\S)/g, ";\n");
}
