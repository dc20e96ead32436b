/**
 * The layout and ownership of load balancers' files. Each HAProxy starts in its own folder, and all
 * its paths are relative to it.
 *
 * Always holds: a HAProxy that runs as another user can create nothing in the folder itself, so it
 * cannot replace files; only the folder of its sockets is writable for it.
 */
import { createHash } from 'node:crypto';
import { chown, mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Account } from '@cumulet/common/programs/own-users';
import type { ProxyFiles } from '../configuration/render.js';
import { temporaryName } from '@cumulet/common/files/durable-file';
import { FILES } from '../configuration/words.js';

export interface BalancerFolder {
  readonly id: string;
  readonly path: string;
  readonly configuration: string;
  /** The next configuration, while it is being checked. */
  readonly next: string;
  /** HAProxy's own folder, with its sockets. */
  readonly run: string;
  /** An argument that identifies the load balancer's processes. Relative to the folder. */
  readonly pidFile: string;
  readonly log: string;
  readonly counters: string;
  /** Where it was started, as JSON. */
  readonly place: string;
  readonly peerName: string;
}

/** For root: in memory, so that keys are not on a disk. */
const RUN = '/run';

/** Short, because a socket's path is limited to 107 bytes. */
const tagOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/**
 * @param dataDir of the service; the folders above it may be closed to other users
 * @param cloud identifies the owner of the load balancers; the same for all agents of a cloud
 * @param asOthers whether HAProxy runs as other users, who need access to their folders
 * @returns the parent of all load balancers' folders
 */
export function rootOf(dataDir: string, cloud: string, asOthers: boolean): string {
  return asOthers ? join(RUN, `cumulet-loadbalancer-${tagOf(cloud)}-${tagOf(dataDir)}`) : dataDir;
}

/** Other possible parents for the agent with this data folder, whatever the cloud. */
export async function rootsOf(dataDir: string): Promise<string[]> {
  const names = await readdir(RUN).catch(() => []);
  const tag = tagOf(dataDir);
  return names
    .filter((name) => /^cumulet-loadbalancer-[0-9a-f]+-/.test(name) && name.endsWith(`-${tag}`))
    .map((name) => join(RUN, name));
}

/** The parents of other agents of the cloud on this machine. */
export async function siblingsOf(root: string): Promise<string[]> {
  const [family] = /^cumulet-loadbalancer-[0-9a-f]+-/.exec(basename(root)) ?? [];
  if (family === undefined || dirname(root) !== RUN) return [];
  const names = await readdir(RUN);
  const found = names.filter((name) => name.startsWith(family) && name !== basename(root));
  return found.map((name) => join(RUN, name));
}

const ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;

/** @throws Error for an ID that is not a valid name of a folder */
export function balancerFolder(root: string, id: string): BalancerFolder {
  if (!ID.test(id)) throw new Error('a load balancer has an id that is no name of a folder');
  const path = join(root, id);
  const tag = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return {
    id,
    path,
    configuration: join(path, FILES),
    next: join(path, 'next'),
    run: join(path, 'run'),
    pidFile: `run/${tag}.pid`,
    log: join(path, 'haproxy.log'),
    counters: join(path, 'counters'),
    place: join(path, 'place'),
    peerName: join(path, 'peer'),
  };
}

/** HAProxy's users may traverse the folders; only the files are theirs. */
const PASSABLE = 0o711;

export async function makeFolder(
  folder: BalancerFolder,
  account: Account | undefined,
): Promise<void> {
  await mkdir(folder.path, { recursive: true, mode: PASSABLE });
  await mkdir(folder.run, { mode: 0o700 }).catch(unlessThere);
  if (account) await chown(folder.run, account.uid, account.gid);
}

/** IDs of load balancers with a folder. */
export async function foldersIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(unlessMissing);
  return (entries ?? []).flatMap((one) =>
    one.isDirectory() && ID.test(one.name) ? [one.name] : [],
  );
}

export async function stage(
  folder: BalancerFolder,
  files: ProxyFiles,
  account: Account | undefined,
): Promise<void> {
  await rm(folder.next, { recursive: true, force: true });
  const path = join(folder.next, FILES);
  await mkdir(path, { recursive: true, mode: PASSABLE });
  for (const [name, text] of files) await writeFor(account, join(path, name), text);
}

/**
 * Makes the checked configuration the current one. After a crash in between there is none, and
 * HAProxy is started anew.
 */
export async function publish({ next, configuration }: BalancerFolder): Promise<void> {
  await rm(configuration, { recursive: true, force: true });
  await rename(join(next, FILES), configuration);
  await rm(next, { recursive: true });
}

export async function discardNext({ next }: BalancerFolder): Promise<void> {
  await rm(next, { recursive: true, force: true });
}

/** Creates or replaces a file that only HAProxy's user may read. */
export async function writeFor(
  account: Account | undefined,
  path: string,
  text: string,
): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  if (account) await chown(path, account.uid, account.gid);
}

/** Creates or replaces a file of this service's own atomically; it need not survive a reboot. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = temporaryName(path);
  await writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
  await rename(temporary, path);
}

/** With the parent folder, if it is the last. */
export async function removeFolder({ path }: BalancerFolder): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await rmdir(dirname(path)).catch(() => undefined);
}

function unlessThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}
