/**
 * The command lines of processes. Public source: proc(5). They are read in place: they lie in memory, and
 * the thread pool takes four turns and a buffer of 64 KB for each, several times the work.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** @returns program and arguments; undefined for a process that is gone or not readable; [''] for a zombie */
export function commandLineOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return undefined;
  }
}

/** Of all processes, by process ID. */
export function commandLines(): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const name of readdirSync('/proc')) {
    const line = /^\d+$/.test(name) ? commandLineOf(Number(name)) : undefined;
    if (line !== undefined) found.set(Number(name), line);
  }
  return found;
}
