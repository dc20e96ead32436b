/**
 * Users that programs of root run as, so that none runs as root: what breaks out of a program is
 * then a user who owns only that program's files (docs/adr/0023).
 *
 * Always holds: the user follows from the program's name alone, so there is no list to maintain.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Options of a child process, which then has no supplementary groups (libuv). */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Contents of these files in `/proc/self`. */
export interface ProcessFacts {
  readonly status: string;
  readonly uidMap: string;
  readonly gidMap: string;
}

/** Ids that systemd's "Users, Groups, UIDs and GIDs" names as nobody's: 0x70000000 to 0x7fffffff. */
const FIRST_ID = 0x7000_0000;
const ID_BITS = 28;
const LAST_ID = FIRST_ID + 2 ** ID_BITS - 1;

/** By their bits in the capability sets (capabilities(7)). */
const CAPABILITIES = {
  CAP_CHOWN: 0n,
  CAP_DAC_OVERRIDE: 1n,
  CAP_FOWNER: 3n,
  CAP_KILL: 5n,
  CAP_SETGID: 6n,
  CAP_SETUID: 7n,
  CAP_SETPCAP: 8n,
  CAP_NET_BIND_SERVICE: 10n,
} as const;

export type Capability = keyof typeof CAPABILITIES;

/** Capabilities to run programs as others, and to keep their files. */
export const TO_RUN_AS_OTHERS: readonly Capability[] = [
  'CAP_CHOWN',
  'CAP_DAC_OVERRIDE',
  'CAP_FOWNER',
  'CAP_KILL',
  'CAP_SETGID',
  'CAP_SETUID',
];

/** Facts of this process; empty without /proc. */
export async function readProcessFacts(): Promise<ProcessFacts> {
  const [status = '', uidMap = '', gidMap = ''] = await Promise.all(
    ['status', 'uid_map', 'gid_map'].map((file) =>
      readFile(`/proc/self/${file}`, 'utf8').catch(() => ''),
    ),
  );
  return { status, uidMap, gidMap };
}

/** `Uid: real effective saved fs`; without /proc, what Node says. */
export function effectiveUid({ status }: Pick<ProcessFacts, 'status'>): number {
  const written = /^Uid:\s+\d+\s+(\d+)/m.exec(status)?.[1];
  return written === undefined ? (process.geteuid?.() ?? -1) : Number(written);
}

/** The first of these that the process does not have. */
export function lackingCapability(
  { status }: Pick<ProcessFacts, 'status'>,
  needed: readonly Capability[],
): Capability | undefined {
  const held = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`);
  return needed.find((name) => ((held >> CAPABILITIES[name]) & 1n) === 0n);
}

/** Whether all of the users that `ownAccount` gives exist in the process's user namespace. */
export function hasOwnAccounts(facts: ProcessFacts): boolean {
  return mapsIds(facts, FIRST_ID, LAST_ID);
}

/** Whether the process's user namespace (user_namespaces(7)) has all of these users and groups. */
export function mapsIds({ uidMap, gidMap }: ProcessFacts, first: number, last: number): boolean {
  return [uidMap, gidMap].every((map) =>
    map.split('\n').some((line) => {
      const [inside = NaN, , count = NaN] = line.trim().split(/\s+/).map(Number);
      return inside <= first && last < inside + count;
    }),
  );
}

/** Two programs of a host collide with a probability of 2^-28. */
export function ownAccount(name: string): Account {
  const own = FIRST_ID + (createHash('sha256').update(name).digest().readUInt32BE() >>> 4);
  return { uid: own, gid: own };
}
