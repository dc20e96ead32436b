/**
 * Keeps guests' serial output, within bounds. QEMU holds it in a ring buffer, which stays bounded
 * while no compute runs; each conversation with the guest moves it into `console.log`, of which the
 * last part is kept. (A file that QEMU writes would grow without bound while compute is down; a
 * pipe would need a process per guest.) If QEMU is killed, the output since the last conversation
 * is lost.
 */
import { appendFile, readFile, stat } from 'node:fs/promises';
import { writeDurably } from '@cumulet/common/files/durable-file';
import { errorCode } from '../../hypervisor-error.js';
import { lastLines } from '../../last-lines.js';
import { type GuestFolder, SERIAL_SOCKET } from '../guest-folder.js';
import type { QmpConnection } from '../machine/qmp-connection.js';

/** The ring buffer's name in QEMU. */
export const CONSOLE_DEVICE = 'console';

/** QEMU requires a power of two. @param limit bytes to keep at most */
export function ringBytes(limit: number): number {
  return 2 ** Math.floor(Math.log2(limit));
}

/** Reading empties the ring, and the caller's connection is the only one. */
export async function drainConsole(
  monitor: QmpConnection,
  folder: GuestFolder,
  limit: number,
): Promise<void> {
  const size = ringBytes(limit);
  const encoded = await monitor.execute('ringbuf-read', {
    device: CONSOLE_DEVICE,
    size,
    format: 'base64',
  });
  const output = Buffer.from(String(encoded), 'base64');
  if (output.length > 0) await appendBounded(folder.console, output, limit);
}

/** The output that is kept, or its last `lines` lines; '' if there is none. */
export async function readConsole(folder: GuestFolder, lines?: number): Promise<string> {
  try {
    const text = await readFile(folder.console, 'utf8');
    return lines === undefined ? text : lastLines(text, lines);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Appends, and drops the oldest bytes beyond `limit`. */
export async function appendBounded(path: string, output: Buffer, limit: number): Promise<void> {
  const size = await fileSize(path);
  if (size + output.length <= limit) {
    await appendFile(path, output, { mode: 0o600 });
    return;
  }
  const kept = size === 0 ? output : Buffer.concat([await readFile(path), output]);
  await writeDurably(path, wholeLines(kept.subarray(-limit)));
}

const MAX_LINE_DROPPED = 4096;

/** Drops the line whose start was cut off, unless it is most of the text. */
function wholeLines(cut: Buffer): Buffer {
  const end = cut.indexOf('\n');
  return end < MAX_LINE_DROPPED ? cut.subarray(end + 1) : cut;
}

async function fileSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/**
 * The backend of a guest's serial port in QEMU: a ring buffer, or a socket while a console is open.
 * QEMU switches at once (`chardev-change`, "QEMU QMP Reference Manual"); output in between is lost.
 */

type SerialBackend =
  | 'ring'
  /** A console is open. */
  | 'socket'
  /** The reader has gone. */
  | 'socket-alone';

export async function serialBackend(monitor: QmpConnection): Promise<SerialBackend> {
  const devices = (await monitor.execute('query-chardev')) as readonly CharacterDevice[];
  const filename = devices.find(({ label }) => label === CONSOLE_DEVICE)?.filename ?? 'ringbuf';
  if (filename === 'ringbuf') return 'ring';
  return filename.startsWith('disconnected:') ? 'socket-alone' : 'socket';
}

interface CharacterDevice {
  readonly label: string;
  readonly filename: string;
}

export async function useSocket(monitor: QmpConnection): Promise<void> {
  const addr = { type: 'unix', data: { path: SERIAL_SOCKET } };
  await change(monitor, { type: 'socket', data: { addr, server: true, wait: false } });
}

export async function useRing(monitor: QmpConnection, limit: number): Promise<void> {
  await change(monitor, { type: 'ringbuf', data: { size: ringBytes(limit) } });
}

async function change(monitor: QmpConnection, backend: object): Promise<void> {
  await monitor.execute('chardev-change', { id: CONSOLE_DEVICE, backend });
}
