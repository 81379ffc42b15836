import { clusterName } from "./old-server.ts";
import { port } from "./socket-folder.ts";

const defaults: Record<string, string> = {
  max_connections: "100",
  shared_buffers: "128MB",
  max_wal_size: "512MB",
  // Small servers: one query must not take every core, nor fill a container's 64 MB of shared memory.
  max_parallel_workers_per_gather: "0",
  max_logical_replication_workers: "0",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "warning",
  log_checkpoints: "off",
  // A failed statement is reported by who sent it; here it would only leak rows into the log.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

/** The server's arguments: our defaults, then the caller's settings, then what safety depends on. */
export function serverArguments(
  dataFolder: string,
  socketFolder: string,
  settings: Record<string, string>,
): string[] {
  const all = {
    ...defaults,
    ...settings,
    listen_addresses: "",
    port: String(port),
    // A list; quoted, because a comma or a space in the path would end an entry.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    cluster_name: clusterName,
    log_destination: "stderr",
    logging_collector: "off",
    log_line_prefix: "",
  };
  return ["-D", dataFolder, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}
