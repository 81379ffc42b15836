import { execFile, type SpawnOptions } from "node:child_process";
import { promisify } from "node:util";
import { childEnvironment } from "../process/child-environment.ts";

/**
 * PostgreSQL refuses to run as root. `namespace`: root wears another user's number and the files stay root's;
 * `chown`: it runs as that other user, who is given the files; `plain`: we are not root.
 */
export type SandboxMode = "namespace" | "chown" | "plain";

/** How PostgreSQL's programs run here. */
export type Sandbox = {
  mode: SandboxMode;
  /** Who owns the server's files and, with `chown`, whom it runs as. */
  uid: number;
  gid: number;
  /** Whether the system ends the server when this process dies. */
  endsWithParent: boolean;
};

/** The number of `nobody`, who exists on nearly every system; initdb insists on a user with a name. */
export const nobody = 65534;

const wearNobody = ["unshare", "--user", `--map-user=${nobody}`, `--map-group=${nobody}`];
// SIGINT is PostgreSQL's fast shutdown. The system sends it when the *thread* that started the server ends,
// so a worker thread that starts one must outlive it.
const endWithParent = ["setpriv", "--pdeathsig", "INT"];

let probes: { namespace: Promise<boolean>; endsWithParent: Promise<boolean> } | undefined;

/** Picks the way that works on this system, or takes the given one. */
export async function chooseSandbox(mode?: SandboxMode): Promise<Sandbox> {
  probes ??= {
    namespace: succeeds([...wearNobody, "true"]),
    endsWithParent: succeeds([...endWithParent, "true"]),
  };
  const endsWithParent = await probes.endsWithParent;
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const chosen = mode ?? (uid !== 0 ? "plain" : (await probes.namespace) ? "namespace" : "chown");
  if (chosen === "chown") return { mode: chosen, uid: nobody, gid: nobody, endsWithParent };
  return { mode: chosen, uid, gid, endsWithParent };
}

async function succeeds([file = "", ...args]: string[]): Promise<boolean> {
  return promisify(execFile)(file, args).then(
    () => true,
    () => false,
  );
}

/** What to spawn for a program in the sandbox. No wrapper forks, so the child's number is the program's. */
export function spawnPlan(sandbox: Sandbox, program: string, args: string[]) {
  const wrappers = [
    ...(sandbox.mode === "namespace" ? wearNobody : []),
    ...(sandbox.endsWithParent ? endWithParent : []),
  ];
  const [file = program, ...rest] = [...wrappers, program, ...args];
  const options: SpawnOptions = {
    // A group of its own, so that Ctrl-C reaches us first and the server last.
    detached: true,
    cwd: "/",
    env: childEnvironment(),
    ...(sandbox.mode === "chown" && { uid: sandbox.uid, gid: sandbox.gid }),
  };
  return { file, args: rest, options };
}
