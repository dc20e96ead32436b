/** Conversations with a guest's QEMU. Retries while another process of ours uses the monitor. */
import type { FileHandle } from 'node:fs/promises';
import { errorCode, HypervisorError } from '../../hypervisor-error.js';
import type { GuestState } from '../../hypervisor-driver.js';
import { waitUntil } from '../../wait-until.js';
import {
  EARLIER_QMP_SOCKET,
  QMP_SOCKET,
  type GuestFolder,
  openSocketFile,
  socketPath,
} from '../guest-folder.js';
import { QmpConnection, QmpError } from './qmp-connection.js';

interface Patience {
  /** Bounds the connection, and each answer. */
  readonly timeoutMs: number;
  /** Whether to retry while nothing listens. */
  readonly isAlive: () => Promise<boolean>;
}

/** Throws `transient` if QEMU does not answer, QmpError if it refuses a command. */
export async function withMonitor<T>(
  folder: GuestFolder,
  patience: Patience,
  work: (monitor: QmpConnection) => Promise<T>,
): Promise<T> {
  const monitor = await connectWithPatience(folder, patience);
  try {
    return await work(monitor);
  } catch (error) {
    if (error instanceof QmpError && error.failure !== 'refused') throw noAnswer(error);
    throw error;
  } finally {
    monitor.close();
  }
}

export async function connectOnce(folder: GuestFolder, timeoutMs: number): Promise<QmpConnection> {
  const socket = await openSocket(folder);
  try {
    return await QmpConnection.open(socketPath(socket), timeoutMs);
  } finally {
    await socket.close();
  }
}

async function openSocket(folder: GuestFolder): Promise<FileHandle> {
  try {
    return await openSocketFile(folder, QMP_SOCKET);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return openSocketFile(folder, EARLIER_QMP_SOCKET);
  }
}

async function connectWithPatience(
  folder: GuestFolder,
  { timeoutMs, isAlive }: Patience,
): Promise<QmpConnection> {
  let monitor: QmpConnection | undefined;
  let lastError: unknown;
  await waitUntil(async () => {
    try {
      monitor = await connectOnce(folder, timeoutMs);
      return true;
    } catch (error) {
      lastError = error;
      return !(await isAlive());
    }
  }, timeoutMs);
  if (monitor === undefined) throw noAnswer(lastError);
  return monitor;
}

/** QEMU's run states ("QEMU QMP Reference Manual", RunState) as the port's. */
export async function readState(monitor: QmpConnection): Promise<GuestState> {
  const { status } = (await monitor.execute('query-status')) as { status: string };
  switch (status) {
    case 'running':
      return 'running';
    case 'shutdown':
      return 'shutdown';
    case 'guest-panicked':
    case 'internal-error':
      return 'crashed';
    default:
      return 'paused';
  }
}

function noAnswer(cause: unknown): HypervisorError {
  return new HypervisorError('transient', 'The machine of the server does not answer.', cause);
}
