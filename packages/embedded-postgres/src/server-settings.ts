/**
 * The settings of a server, on its command line, so that they are always those of the running version
 * rather than of an older one in postgresql.conf.
 */
import { LOOPBACK } from './free-port.js';

export interface ServerSettings {
  readonly port: number;
  /** Whether commits survive a crash of the machine. False only for disposable data. */
  readonly durable: boolean;
  /** At most so many at a time; 150 by default, and 500 where data is disposable. */
  readonly connections?: number | undefined;
}

/** @returns command-line arguments, a pair for each setting */
export function serverArguments({ port, durable, connections }: ServerSettings): string[] {
  const settings = {
    ...network(port),
    ...size,
    ...writeAheadLog,
    ...serverLog,
    ...(durable ? {} : disposable),
    ...(connections === undefined ? {} : { max_connections: connections }),
    timezone: 'UTC',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * TCP on loopback alone: every client and every URL parser can use it. Ten services take 11
 * connections each at most.
 */
function network(port: number): Record<string, string | number> {
  return { listen_addresses: LOOPBACK, port, unix_socket_directories: '', max_connections: 150 };
}

/** A laptop runs this beside its guests: little memory, and no idle processes. */
const size = {
  shared_buffers: '32MB',
  io_method: 'sync',
  max_parallel_workers_per_gather: 0,
  max_logical_replication_workers: 0,
};

/** Nobody replicates from this server. */
const writeAheadLog = {
  wal_level: 'minimal',
  max_wal_senders: 0,
  min_wal_size: '32MB',
  max_wal_size: '256MB',
};

/**
 * Logs the server's own events, in UTC. Failures of statements go to the client that made them: a
 * log would only be a second place for the data they quote.
 */
const serverLog = {
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
};

/** Fast rather than durable; and several whole clouds of tests use one server at the same time. */
const disposable = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 500,
};
