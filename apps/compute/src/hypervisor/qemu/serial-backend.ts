/**
 * What is behind a guest's serial port inside QEMU: a ring buffer, or a socket while somebody has
 * the console open. QEMU exchanges one for the other at once (`chardev-change`, "QEMU QMP Reference
 * Manual"), so the guest's port is the same; what it writes between the two is lost.
 */
import { CONSOLE_DEVICE, ringBytes } from './guest-console.js';
import { SERIAL_SOCKET } from './guest-folder.js';
import type { QmpConnection } from './qmp-connection.js';

export type SerialBackend =
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
