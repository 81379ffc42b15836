import { clusterName } from "./old-server.ts";
import { port } from "./socket-folder.ts";

const defaults: Record<string, string> = {
  max_connections: "100",
  shared_buffers: "128MB",
  max_wal_size: "512MB",
  // For small machines: a query must not use every core or the 64 MB of shared memory of a container.
  max_parallel_workers_per_gather: "0",
  max_logical_replication_workers: "0",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "warning",
  log_checkpoints: "off",
  // The client reports failed statements; in the server log they would leak data.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

/** The arguments of the server: defaults, then the caller's settings, then the settings that safety requires. */
export function serverArguments(
  dataFolder: string,
  socketFolder: string,
  settings: Record<string, string>,
): string[] {
  const merged = {
    ...defaults,
    ...settings,
    listen_addresses: "",
    port: String(port),
    // A quoted list, because a path may contain a comma or a space.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    cluster_name: clusterName,
    log_destination: "stderr",
    logging_collector: "off",
    log_line_prefix: "",
  };
  return ["-D", dataFolder, ...Object.entries(merged).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}
