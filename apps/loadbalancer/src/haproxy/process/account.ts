/**
 * Whom a load balancer's HAProxy runs as. Root runs none as itself: each runs as a user of its own,
 * who owns that load balancer's files and nothing else, and may bind ports below 1024 besides. Any
 * other process can only be itself.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** @returns undefined for this process's own user */
export type AccountOf = (balancerId: string) => Account | undefined;

/** Ids that systemd's "Users, Groups, UIDs and GIDs" names as nobody's: 0x70000000 to 0x7fffffff. */
const FIRST_ID = 0x7000_0000;
const LAST_ID = 0x7fff_ffff;

/** What root needs for it, by its bit in the capability sets (capabilities(7)). */
const NEEDED = {
  CAP_CHOWN: 0n,
  CAP_DAC_OVERRIDE: 1n,
  CAP_FOWNER: 3n,
  CAP_KILL: 5n,
  CAP_SETGID: 6n,
  CAP_SETUID: 7n,
  CAP_SETPCAP: 8n,
  CAP_NET_BIND_SERVICE: 10n,
};

export async function findAccounts(): Promise<AccountOf> {
  const [status, uidMap, gidMap] = await Promise.all(
    ['status', 'uid_map', 'gid_map'].map((name) => readFile(`/proc/self/${name}`, 'utf8')),
  );
  return judgeAccounts({ status: status ?? '', uidMap: uidMap ?? '', gidMap: gidMap ?? '' });
}

/** @param facts the texts of these files in `/proc/self` */
export function judgeAccounts(facts: {
  readonly status: string;
  readonly uidMap: string;
  readonly gidMap: string;
}): AccountOf {
  const uid = /^Uid:\s+\d+\s+(\d+)/m.exec(facts.status)?.[1];
  const held = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(facts.status)?.[1] ?? '0'}`);
  const mayBecomeOthers = Object.values(NEEDED).every((bit) => ((held >> bit) & 1n) === 1n);
  const hasIds = [facts.uidMap, facts.gidMap].every(hasOwnIds);
  return uid === '0' && mayBecomeOthers && hasIds ? ownAccount : () => undefined;
}

/** Two load balancers of a host have the same one with a chance of one in 2^28. */
function ownAccount(balancerId: string): Account {
  const digest = createHash('sha256').update(`load balancer ${balancerId}`).digest();
  const own = FIRST_ID + (digest.readUInt32BE() >>> 4);
  return { uid: own, gid: own };
}

/** Whether a line of a uid_map or gid_map (user_namespaces(7)) maps all of these ids. */
function hasOwnIds(map: string): boolean {
  return map.split('\n').some((line) => {
    const [inside = NaN, , count = NaN] = line.trim().split(/\s+/).map(Number);
    return inside <= FIRST_ID && LAST_ID < inside + count;
  });
}
