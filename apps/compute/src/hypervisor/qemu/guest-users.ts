/**
 * The users of the operating system that guests run as. Root runs each guest as another: an escape
 * from a guest gains that guest's files and nothing else. Any other process can only run them as
 * itself (docs/adr/0023).
 *
 * Always holds: the choice follows from what the kernel says of this process, before any guest is
 * started; a guest's user follows from its ID, so that no list is kept.
 */
import {
  effectiveUid,
  hasOwnAccounts,
  lackingCapability,
  mapsIds,
  ownAccount,
  readProcessFacts,
  TO_RUN_AS_OTHERS,
  type Account,
  type ProcessFacts,
} from '@cumulet/common/programs/own-users';
import { HypervisorError } from '../hypervisor-error.js';
import { runProgram } from './run-program.js';

export interface GuestUsers {
  /** The user for this guest or image; undefined: this process's own. */
  of(id: string): Account | undefined;
  /** For the start-up lines: `each guest runs as a user of its own`. */
  readonly described: string;
}

/** Linux's overflow user, `nobody` on every distribution. */
const NOBODY: Account = { uid: 65_534, gid: 65_534 };

const LOOK_UP_TIMEOUT_MS = 20_000;

/** Throws `not-ready` if the user of the settings does not exist, or guests cannot run as it. */
export async function findGuestUsers(name: string | undefined): Promise<GuestUsers> {
  const facts = await readProcessFacts();
  return judgeGuestUsers(facts, name === undefined ? undefined : await namedUser(name));
}

/** @param named in the settings */
export function judgeGuestUsers(
  facts: ProcessFacts,
  named?: Account & { readonly name: string },
): GuestUsers {
  const uid = effectiveUid(facts);
  if (named !== undefined && named.uid === uid && uid !== 0) {
    return all(undefined, `guests run as the user ${named.name}`);
  }
  if (uid !== 0) {
    if (named === undefined) return all(undefined, `guests run as this user (uid ${uid})`);
    throw unusable(named.name, 'only root can run guests as another user than itself');
  }
  const lacking = lackingCapability(facts, TO_RUN_AS_OTHERS);
  if (named !== undefined) {
    if (named.uid === 0) throw unusable(named.name, 'guests do not run as root');
    if (lacking !== undefined) throw unusable(named.name, `this root is without ${lacking}`);
    const { uid, gid } = named;
    return all({ uid, gid }, `guests run as the user ${named.name}`);
  }
  if (lacking !== undefined) {
    return all(undefined, `guests run as root, which here is without ${lacking}`);
  }
  if (hasOwnAccounts(facts)) {
    return { of: ownAccount, described: 'each guest runs as a user of its own' };
  }
  if (mapsIds(facts, NOBODY.uid, NOBODY.uid)) {
    return all(NOBODY, 'guests run as nobody: this user namespace has no ids for each');
  }
  return all(undefined, 'guests run as root: this user namespace has no other user');
}

function all(account: Account | undefined, described: string): GuestUsers {
  return { of: () => account, described };
}

async function namedUser(name: string): Promise<Account & { readonly name: string }> {
  const ids = await Promise.all(
    ['-u', '-g'].map(async (option) => {
      // After `--`, a name is not an option.
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
