/**
 * Which users of the operating system guests run as. Root runs none of them as itself: what breaks
 * out of a guest is then a user who owns that guest's files and nothing else. Any other process can
 * only be itself (docs/adr/0023).
 *
 * Always holds: root's decision is made from what the kernel says about this process, before any
 * guest is started; and who runs a guest follows from its id alone, so no list of them is kept.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HypervisorError } from '../hypervisor-error.js';
import { runProgram } from './run-program.js';

/** To be spread into the options of a child process, which then has no further groups (libuv). */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface GuestUsers {
  /** Who works on this guest or image; undefined: this process's own user. */
  of(id: string): Account | undefined;
  /** For the start-up lines: `each guest runs as a user of its own`. */
  readonly described: string;
}

/** What the kernel says about a process: the texts of these files in `/proc/self`. */
export interface ProcessFacts {
  readonly status: string;
  readonly uidMap: string;
  readonly gidMap: string;
}

/** Ids that systemd's "Users, Groups, UIDs and GIDs" names as nobody's: 0x70000000 to 0x7fffffff. */
const FIRST_ID = 0x7000_0000;
const ID_BITS = 28;
const LAST_ID = FIRST_ID + 2 ** ID_BITS - 1;

/** Linux's overflow user, `nobody` on every distribution. */
const NOBODY: Account = { uid: 65_534, gid: 65_534 };

const LOOK_UP_TIMEOUT_MS = 20_000;

/** What root needs for it, by its bit in the capability sets (capabilities(7)). */
const NEEDED = {
  CAP_CHOWN: 0n,
  CAP_DAC_OVERRIDE: 1n,
  CAP_FOWNER: 3n,
  CAP_KILL: 5n,
  CAP_SETGID: 6n,
  CAP_SETUID: 7n,
};

/**
 * @param name the user that the settings name, if they do
 * Throws `not-ready` if there is no such user, or guests cannot run as it.
 */
export async function findGuestUsers(name: string | undefined): Promise<GuestUsers> {
  const [status, uidMap, gidMap] = await Promise.all(
    ['status', 'uid_map', 'gid_map'].map((file) => readOrEmpty(`/proc/self/${file}`)),
  );
  const facts = { status: status ?? '', uidMap: uidMap ?? '', gidMap: gidMap ?? '' };
  return judgeGuestUsers(facts, name === undefined ? undefined : await namedUser(name));
}

/** @param named the user that the settings name */
export function judgeGuestUsers(
  { status, uidMap, gidMap }: ProcessFacts,
  named?: Account & { readonly name: string },
): GuestUsers {
  const uid = effectiveUid(status);
  if (named !== undefined && named.uid === uid && uid !== 0) {
    return all(undefined, `guests run as the user ${named.name}`);
  }
  if (uid !== 0) {
    if (named === undefined) return all(undefined, `guests run as this user (uid ${uid})`);
    throw unusable(named.name, 'only root can run guests as another user than itself');
  }
  const lacking = lackingCapability(status);
  if (named !== undefined) {
    if (named.uid === 0) throw unusable(named.name, 'guests do not run as root');
    if (lacking !== undefined) throw unusable(named.name, `this root is without ${lacking}`);
    const { uid, gid } = named;
    return all({ uid, gid }, `guests run as the user ${named.name}`);
  }
  if (lacking !== undefined) {
    return all(undefined, `guests run as root, which here is without ${lacking}`);
  }
  if (holds(uidMap, FIRST_ID, LAST_ID) && holds(gidMap, FIRST_ID, LAST_ID)) {
    return { of: ownAccount, described: 'each guest runs as a user of its own' };
  }
  if (holds(uidMap, NOBODY.uid, NOBODY.uid) && holds(gidMap, NOBODY.gid, NOBODY.gid)) {
    return all(NOBODY, 'guests run as nobody: this user namespace has no ids for each');
  }
  return all(undefined, 'guests run as root: this user namespace has no other user');
}

function all(account: Account | undefined, described: string): GuestUsers {
  return { of: () => account, described };
}

/** Two guests of a host have the same one with a chance of one in 2^28. */
function ownAccount(id: string): Account {
  const own = FIRST_ID + (createHash('sha256').update(id).digest().readUInt32BE() >>> 4);
  return { uid: own, gid: own };
}

/** `Uid: real effective saved fs`; without /proc, what Node says. */
function effectiveUid(status: string): number {
  const written = /^Uid:\s+\d+\s+(\d+)/m.exec(status)?.[1];
  return written === undefined ? (process.geteuid?.() ?? -1) : Number(written);
}

function lackingCapability(status: string): string | undefined {
  const held = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`);
  return Object.entries(NEEDED).find(([, bit]) => ((held >> bit) & 1n) === 0n)?.[0];
}

/** Whether one line of a uid_map or gid_map (user_namespaces(7)) maps all of these ids. */
function holds(map: string, first: number, last: number): boolean {
  return map.split('\n').some((line) => {
    const [inside = NaN, , count = NaN] = line.trim().split(/\s+/).map(Number);
    return inside <= first && last < inside + count;
  });
}

async function namedUser(name: string): Promise<Account & { readonly name: string }> {
  const ids = await Promise.all(
    ['-u', '-g'].map(async (option) => {
      // After `--`, no name is an option.
      const { exitCode, stdout } = await runProgram('id', [option, '--', name], {
        timeoutMs: LOOK_UP_TIMEOUT_MS,
      });
      return exitCode === 0 ? Number(stdout.toString()) : undefined;
    }),
  );
  const [uid, gid] = ids;
  if (uid === undefined || gid === undefined) throw unusable(name, 'there is no such user here');
  return { name, uid, gid };
}

function unusable(name: string, why: string): HypervisorError {
  return new HypervisorError('not-ready', `COMPUTE_QEMU_USER cannot be ${name}: ${why}.`);
}

async function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
