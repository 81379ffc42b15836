// Runs the service and, in front of it, the dashboard with hot reload. The service keeps its usual settings.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const port = process.env.PORT ?? "8080";
const api = `http://127.0.0.1:${port}`;

const start = (args, env = {}) =>
  spawn(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });

const children = [
  start(["src/cli/index.ts", "serve"]),
  start(["node_modules/vite/bin/vite.js", "web", "--strictPort"], { TOCSIN_API: api }),
];
const stop = () => {
  for (const child of children) child.kill("SIGTERM");
};
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop);
// Neither is useful without the other.
for (const child of children)
  child.once("exit", (code) => {
    process.exitCode ||= code ?? 0;
    stop();
  });
console.log("The dashboard with hot reload is at http://127.0.0.1:5173");
