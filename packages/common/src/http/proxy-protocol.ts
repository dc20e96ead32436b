/**
 * The first line of a forwarded TCP connection, which names the client. Public source: HAProxy,
 * "The PROXY protocol", version 1.
 *
 * Always holds: a connection without this line, or with a late one, is closed. Listen for such
 * connections only where nobody but the proxy can connect.
 */
import { isIPv6 } from 'node:net';
import type { Socket } from 'node:net';

const MAX_LENGTH = 107;
const LIMIT_MS = 10_000;
const LINE = /^PROXY TCP6 (\S+) \S+ \d+ \d+\r\n/;

/** @param source an IPv6 address that stands for the client */
export function proxyLine(source: string): string {
  return `PROXY TCP6 ${source} ::1 1 1\r\n`;
}

/**
 * Reads the line, which sets the source of the connection.
 * @param accept gets the connection with the bytes after the line
 */
export function readProxyLine(socket: Socket, accept: (socket: Socket) => void): void {
  let head = Buffer.alloc(0);
  const end = setTimeout(() => socket.destroy(), LIMIT_MS).unref();
  const fail = (): void => {
    socket.destroy();
  };
  const read = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    head = Buffer.concat([head, chunk]);
    const text = head.toString('latin1', 0, MAX_LENGTH);
    const [line, source = ''] = LINE.exec(text) ?? [];
    if (line === undefined && text.length < MAX_LENGTH && !text.includes('\n')) return;
    stop();
    if (line === undefined || !isIPv6(source)) {
      fail();
      return;
    }
    const rest = head.subarray(line.length);
    if (rest.length > 0) socket.unshift(rest);
    Object.defineProperty(socket, 'remoteAddress', { value: source });
    accept(socket);
  };
  const stop = (): void => {
    clearTimeout(end);
    socket.off('readable', read).off('end', fail).off('error', fail);
  };
  socket.once('close', stop);
  socket.on('readable', read).on('end', fail).on('error', fail);
}
