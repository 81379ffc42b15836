// Runs the static checks, two at a time: the type check of the service takes as long as all others together.
import { spawn } from "node:child_process";
import { once } from "node:events";

const lanes = [["tsc --noEmit"], ["biome check .", "tsc --noEmit -p web", "knip"]];

const results = await Promise.all(lanes.map(runLane));
if (results.includes(false)) process.exitCode = 1;

/** Runs commands one after another until one fails. npm puts their folder on the PATH. */
async function runLane(commands) {
  for (const command of commands) {
    const [file, ...args] = command.split(" ");
    const [status] = await once(spawn(file, args, { stdio: "inherit" }), "exit");
    if (status === 0) continue;
    console.error(`${command} failed.`);
    return false;
  }
  return true;
}
