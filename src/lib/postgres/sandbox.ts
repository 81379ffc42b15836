import { execFile, type SpawnOptions } from "node:child_process";
import { promisify } from "node:util";
import { childEnvironment } from "../process/child-environment.ts";

/**
 * PostgreSQL refuses to run as root. `namespace`: a user namespace maps root to another uid, and root keeps the
 * files; `chown`: the server runs as another user who gets the files; `plain`: we are not root.
 */
export type SandboxMode = "namespace" | "chown" | "plain";

/** How the PostgreSQL programs are started. */
export type Sandbox = {
  mode: SandboxMode;
  /** The owner of the files and, with `chown`, the user of the server. */
  uid: number;
  gid: number;
  /** True when the kernel stops the server with this process. */
  endsWithParent: boolean;
};

/** The uid of `nobody`. initdb requires a user with a name. */
export const nobody = 65534;

const mapToNobody = ["unshare", "--user", `--map-user=${nobody}`, `--map-group=${nobody}`];
// SIGINT is PostgreSQL's fast shutdown. The kernel sends it when the *thread* that started the server exits, so that
// a worker thread must outlive it.
const endWithParent = ["setpriv", "--pdeathsig", "INT"];

let probes: { namespace: Promise<boolean>; endsWithParent: Promise<boolean> } | undefined;

/** Chooses the mode that works on this system, unless one is given. */
export async function chooseSandbox(mode?: SandboxMode): Promise<Sandbox> {
  probes ??= {
    namespace: succeeds([...mapToNobody, "true"]),
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

/** The command line of a program in the sandbox. No wrapper forks, so the pid of the child is that of the program. */
export function spawnPlan(sandbox: Sandbox, program: string, args: string[]) {
  const wrappers = [
    ...(sandbox.mode === "namespace" ? mapToNobody : []),
    ...(sandbox.endsWithParent ? endWithParent : []),
  ];
  const [file = program, ...rest] = [...wrappers, program, ...args];
  const options: SpawnOptions = {
    // A process group of its own, so that Ctrl-C does not stop the server before its clients.
    detached: true,
    cwd: "/",
    env: childEnvironment(),
    ...(sandbox.mode === "chown" && { uid: sandbox.uid, gid: sandbox.gid }),
  };
  return { file, args: rest, options };
}
