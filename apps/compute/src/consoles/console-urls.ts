/**
 * Where consoles are. A WebSocket to the path of its type opens a console; the same paths, or a page
 * beside them, are what a browser shows. Pure.
 */
import type { ConsoleType } from './console-token.entity.js';

export const CONSOLES_PATH = '/consoles';

/**
 * As Nova's: noVNC is a page that is told the WebSocket's `path`, and a serial console the
 * WebSocket itself, whose address is a page, too, with `http` for `ws`.
 *
 * @param baseUrl the service's public address
 */
export function consoleUrl(baseUrl: string, type: ConsoleType, token: string): string {
  const base = new URL(baseUrl);
  const root = base.pathname.replace(/\/$/, '') + CONSOLES_PATH;
  const stream = `${root}/${type}?token=${token}`;
  if (type === 'serial') {
    const url = new URL(stream, base);
    url.protocol = base.protocol.replace('http', 'ws');
    return url.href;
  }
  return `${base.origin}${root}/vnc.html?path=${encodeURIComponent(stream)}`;
}
