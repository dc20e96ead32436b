/** What a guest may learn of itself: its server and its network cards. */
import type { Nic } from '../nics/nic.entity.js';
import type { Server } from '../servers/server.entity.js';

export interface GuestMetadata {
  readonly server: Server;
  /** In the order in which it finds them. */
  readonly nics: readonly Nic[];
}

/** What is at a path: names of what is below it, or a file. */
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

/** A line for each: a name of several would be several. */
export function linesOf(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')).join('\n');
}

export function json(value: unknown): Answer {
  return { type: 'application/json', body: JSON.stringify(value) };
}
