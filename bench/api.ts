import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../src/config.ts";
import { startService } from "../src/main.ts";
import { serveBare } from "./bare-server.ts";
import { compare, signUp } from "./compare.ts";

/** GET /orgs with a session, through the service and through a bare route with the same two queries. */
export async function benchApi(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-bench-"));
  const config = parseConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "warn", ROLES: "api" });
  const service = await startService(config);
  const bare = await serveBare(config);
  try {
    const cookie = await signUp(service.url);
    await compare({ service: `${service.url}/api/v1/orgs`, bare: `${bare.url}/orgs` }, [{ cookie }]);
  } finally {
    await bare.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
