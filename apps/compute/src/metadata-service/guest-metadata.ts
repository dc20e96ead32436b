/** A guest's view of itself: its server and its NICs. */
import type { Nic } from '../nics/nic.entity.js';
import type { Server } from '../servers/server.entity.js';

export interface GuestMetadata {
  readonly server: Server;
  /** In the guest's order. */
  readonly nics: readonly Nic[];
}

/** The content of a path: names of its entries, or a file. */
export type Answer = {
  readonly type: 'text/plain' | 'application/json';
  readonly body: string | Buffer;
};

export function text(body: string | Buffer): Answer {
  return { type: 'text/plain', body };
}

export function listOf(names: readonly string[]): Answer {
  return text(linesOf(names));
}

/** A line for each, so a name with line ends becomes one line. */
export function linesOf(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')).join('\n');
}

export function json(value: unknown): Answer {
  return { type: 'application/json', body: JSON.stringify(value) };
}
