import { access, constants, mkdir, statfs } from "node:fs/promises";
import type { Config } from "../../config.ts";
import type { Check } from "./check.ts";

/** A database that cannot write stops; half a gigabyte is some hours of a busy organisation. */
const minFreeBytes = 500_000_000;

export function machineChecks({ dataDir }: Config): Check[] {
  return [
    { name: "Node.js", probe: async () => process.version },
    {
      name: "Data folder",
      remedy: "Make it writable for the user that runs Tocsin, or set DATA_DIR.",
      async probe() {
        await mkdir(dataDir, { recursive: true, mode: 0o700 });
        await access(dataDir, constants.W_OK);
        return `${dataDir} is writable`;
      },
    },
    {
      name: "Disk",
      remedy: "Free some space, or set DATA_DIR to a larger disk.",
      async probe() {
        const { bavail, bsize } = await statfs(dataDir);
        const free = bavail * bsize;
        const gigabytes = `${(free / 1e9).toFixed(1)} GB are free`;
        if (free < minFreeBytes) throw new Error(`${gigabytes} on the disk of ${dataDir}`);
        return gigabytes;
      },
    },
  ];
}
