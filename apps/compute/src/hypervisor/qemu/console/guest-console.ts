/**
 * Keeps what guests write to their serial console, within bounds.
 *
 * QEMU holds the output in a ring buffer of its own memory, which a guest that writes for days
 * overwrites but never enlarges, also while no compute runs. Each conversation with the guest
 * first moves what the ring holds into `console.log`, where it stays once the machine is gone;
 * that file keeps its last part only. (A file that QEMU writes itself would grow without bound
 * whenever compute is down, and a pipe would need a second process per guest.) What is lost is
 * the part since the last conversation where QEMU itself is killed.
 */
import { appendFile, readFile, stat } from 'node:fs/promises';
import { writeDurably } from '@cumulet/common/files/durable-file';
import { errorCode } from '../../hypervisor-error.js';
import { lastLines } from '../../last-lines.js';
import { type GuestFolder, SERIAL_SOCKET } from '../guest-folder.js';
import type { QmpConnection } from '../machine/qmp-connection.js';

/** The name of the ring buffer inside QEMU. */
export const CONSOLE_DEVICE = 'console';

/** The size of a ring in bytes: QEMU wants a power of two. @param limit how much to keep at most */
export function ringBytes(limit: number): number {
  return 2 ** Math.floor(Math.log2(limit));
}

/**
 * Moves the ring's content to the guest's file. Reading consumes the ring; since the caller holds
 * the only connection, no other reader can interfere.
 *
 * @param limit maximum bytes of the file
 */
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

/** All that is kept of a guest's output, or its last `lines` lines; '' if there is nothing. */
export async function readConsole(folder: GuestFolder, lines?: number): Promise<string> {
  try {
    const text = await readFile(folder.console, 'utf8');
    return lines === undefined ? text : lastLines(text, lines);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Adds to what is kept, and forgets the oldest of it beyond `limit` bytes. */
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

/** Drops the rest of the line whose start was cut off, unless that is most of the text. */
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
 * What is behind a guest's serial port inside QEMU: a ring buffer, or a socket while somebody has
 * the console open. QEMU exchanges one for the other at once (`chardev-change`, "QEMU QMP Reference
 * Manual"), so the guest's port is the same; what it writes between the two is lost.
 */

type SerialBackend =
  | 'ring'
  /** Somebody has it open. */
  | 'socket'
  /** Whoever had it open has gone. */
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

/** @param limit how much of the console's output is kept, in bytes */
export async function useRing(monitor: QmpConnection, limit: number): Promise<void> {
  await change(monitor, { type: 'ringbuf', data: { size: ringBytes(limit) } });
}

async function change(monitor: QmpConnection, backend: object): Promise<void> {
  await monitor.execute('chardev-change', { id: CONSOLE_DEVICE, backend });
}
