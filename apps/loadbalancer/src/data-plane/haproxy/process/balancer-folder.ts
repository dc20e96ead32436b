/**
 * The layout of load balancers' files, and what of it belongs to whom. Each HAProxy starts in its
 * own folder, and names all in it from there.
 *
 * Always holds: a HAProxy that runs as another user can make nothing in the folder itself, so no
 * name in it can come to mean another file; its sockets alone have a folder that it may write to.
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
  /** What HAProxy runs by. */
  readonly configuration: string;
  /** In its place, what is to be checked before it becomes the configuration. */
  readonly next: string;
  /** HAProxy's own folder, with its sockets. */
  readonly run: string;
  /** Of a HAProxy's arguments: says that it is this load balancer's. Within the folder. */
  readonly pidFile: string;
  readonly log: string;
  readonly counters: string;
  /** Where it was started, as JSON. */
  readonly place: string;
  readonly peerName: string;
}

/** Where root keeps what is there while a machine runs: in memory, so keys are on no disk. */
const RUN = '/run';

/** Short: a socket's whole path has to fit into 107 bytes. */
const tagOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/**
 * @param dataDir of the service; the folders above it may be closed to other users
 * @param cloud names whose load balancers they are, the same for all agents of a cloud
 * @param asOthers whether HAProxy runs as other users, who must get to their folders
 * @returns the folder of all load balancers' folders
 */
export function rootOf(dataDir: string, cloud: string, asOthers: boolean): string {
  return asOthers ? join(RUN, `cumulet-loadbalancer-${tagOf(cloud)}-${tagOf(dataDir)}`) : dataDir;
}

/** Of the agent that keeps its data there: where its load balancers are besides, of whatever cloud. */
export async function rootsOf(dataDir: string): Promise<string[]> {
  const names = await readdir(RUN).catch(() => []);
  const tag = tagOf(dataDir);
  return names
    .filter((name) => /^cumulet-loadbalancer-[0-9a-f]+-/.test(name) && name.endsWith(`-${tag}`))
    .map((name) => join(RUN, name));
}

/** What other agents of the cloud on this machine have in the place of `rootOf`. */
export async function siblingsOf(root: string): Promise<string[]> {
  const [family] = /^cumulet-loadbalancer-[0-9a-f]+-/.exec(basename(root)) ?? [];
  if (family === undefined || dirname(root) !== RUN) return [];
  const names = await readdir(RUN);
  const found = names.filter((name) => name.startsWith(family) && name !== basename(root));
  return found.map((name) => join(RUN, name));
}

const ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;

/** @throws Error for an id that is no name of a folder */
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

/** Whoever may run HAProxy passes through; the files are its user's, and say so themselves. */
const PASSABLE = 0o711;

export async function makeFolder(
  folder: BalancerFolder,
  account: Account | undefined,
): Promise<void> {
  await mkdir(folder.path, { recursive: true, mode: PASSABLE });
  await mkdir(folder.run, { mode: 0o700 }).catch(unlessThere);
  if (account) await chown(folder.run, account.uid, account.gid);
}

/** Ids of load balancers that have a folder. */
export async function foldersIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(unlessMissing);
  return (entries ?? []).flatMap((one) =>
    one.isDirectory() && ID.test(one.name) ? [one.name] : [],
  );
}

/** Writes what is to be checked. */
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

/** What was checked becomes the configuration. Who is killed in between finds neither, and begins anew. */
export async function publish({ next, configuration }: BalancerFolder): Promise<void> {
  await rm(configuration, { recursive: true, force: true });
  await rename(join(next, FILES), configuration);
  await rm(next, { recursive: true });
}

export async function discardNext({ next }: BalancerFolder): Promise<void> {
  await rm(next, { recursive: true, force: true });
}

/** Creates or replaces a file that HAProxy's user, and nobody else, may read. */
export async function writeFor(
  account: Account | undefined,
  path: string,
  text: string,
): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  if (account) await chown(path, account.uid, account.gid);
}

/** Creates or replaces a file of this service's own, whole; it need not outlive the machine. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = temporaryName(path);
  await writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
  await rename(temporary, path);
}

/** And the folder of all, with the last. */
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
