/**
 * A device of the machine's that another cloud made, and that now holds the route which this one needs.
 * It is removed where it is certain that nobody uses it: it says who made it, that process has ended,
 * and none works in the folder or in the namespaces of that cloud. In any other case a person is told
 * whose it is and what removes it.
 */
import { access, readdir, readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { processesUsing } from '@cumulet/common/programs/processes-using';
import { namespaceOf } from '../host-settings.js';
import { processesIn, removeNamespace, run } from '../switch-namespace.js';
import { beganOf, markOf, ownPids, type UplinkMark } from './uplink-mark.js';

export interface SeenUplink {
  readonly device: string;
  /** Undefined for what does not say who made it. */
  readonly mark: UplinkMark | undefined;
  /** Whether its maker's number means something here. */
  readonly areNumbersOurs: boolean;
  readonly doesMakerRun: boolean;
  readonly isFolderThere: boolean;
  /** Whether the namespace that it leads into can be seen from here. */
  readonly isNamespaceThere: boolean;
  /** Of that cloud: what works in its folder or in its namespaces. */
  readonly pids: readonly number[];
  /** Whether all that does can be seen from here. */
  readonly arePidsAll: boolean;
}

export interface Judgement {
  readonly removes: 'nothing' | 'device' | 'device and namespaces';
  /** For the start-up line, after the device's name. */
  readonly words: string;
}

const NAME = /^cumulet[0-9a-f]{8}$/;
const NAMESPACES = '/run/netns';
/** Where services that are processes of their own have theirs, side by side. */
const OF_SERVICES = '/var/lib/cumulet';

/** Programs that go on when their cloud was killed. The kernel keeps 15 characters of a name. */
const PROGRAMS = [
  'haproxy',
  'initdb',
  'ovn-controller',
  'ovn-northd',
  'ovs-vswitchd',
  'ovsdb-server',
  'postgres',
  'qemu-img',
];
const QEMU = /^qemu-system-/;
/** What Node.js is called, by version. */
const NODE = ['node', 'MainThread'];

/** Whether a program of this name may be one that a cloud has started. */
export function isProgramOfCloud(program: string): boolean {
  return PROGRAMS.includes(program) || QEMU.test(program);
}

/** As `isProgramOfCloud`, or the cloud itself. */
export function mayBeOfCloud(program: string): boolean {
  return isProgramOfCloud(program) || NODE.includes(program);
}

/** Whether a cloud has made it, of this build or of an earlier one. */
export function isUplink(device: string | undefined): device is string {
  return device !== undefined && NAME.test(device);
}

/** What is to be done with it, and what is said. Pure. */
export function judge(seen: SeenUplink): Judgement {
  const { device, mark, pids } = seen;
  const nothing = (words: string): Judgement => ({ removes: 'nothing', words });
  if (!mark)
    return nothing(
      `of another cloud, and it does not say which: if that no longer runs, ip link delete ${device}`,
    );
  const cloud = `of the cloud in ${dataFolderOf(mark.folder)}`;
  const destroy = `npm run cumulet -- destroy ${dataFolderOf(mark.folder)}`;
  if (!seen.areNumbersOurs) return nothing(`${cloud}, which was started in another container`);
  if (seen.doesMakerRun) return nothing(`${cloud}, which runs (pid ${mark.pid})`);
  const state = seen.isFolderThere ? 'which was killed' : 'whose folder is gone';
  if (pids.length > 0)
    return nothing(
      `${cloud}, ${state}, and of which processes go on (${pids.join(', ')}): ${destroy}`,
    );
  if (!seen.isNamespaceThere || !seen.arePidsAll) return nothing(`${cloud}, ${state}: ${destroy}`);
  // A folder that is there may be started in again, which uses the namespace.
  const removes = seen.isFolderThere ? 'device' : 'device and namespaces';
  return { removes, words: `${cloud}, ${state}` };
}

/** @returns what is to be known of it, from this machine */
export async function look(device: string): Promise<SeenUplink> {
  const mark = markOf(device, await aliasIn(device));
  if (!mark)
    return {
      device,
      mark,
      areNumbersOurs: false,
      doesMakerRun: false,
      isFolderThere: false,
      isNamespaceThere: false,
      pids: [],
      arePidsAll: false,
    };
  const names = await namespacesBelow(mark.folder);
  const [began, pids, isFolderThere, using, ...inside] = await Promise.all([
    beganOf(mark.pid),
    ownPids(),
    isThere(mark.folder),
    // Of the whole cloud: whoever starts in its folder has the lock open before anything else.
    processesUsing(dataFolderOf(mark.folder)),
    ...names.map((name) => processesIn(name)),
  ]);
  const all = [...using.processes.map(({ pid }) => pid), ...inside.flat().map(Number)];
  return {
    device,
    mark,
    areNumbersOurs: pids === mark.pids,
    doesMakerRun: began === mark.began,
    isFolderThere,
    isNamespaceThere: names.includes(namespaceOf(mark.folder)),
    pids: [...new Set(all)].sort((one, other) => one - other),
    arePidsAll: !using.untold.some(mayBeOfCloud),
  };
}

/** Removes what has been judged to be nobody's. @returns whether the device is gone */
export async function removeLeftover(
  { device, mark }: SeenUplink,
  { removes }: Judgement,
): Promise<boolean> {
  if (removes === 'nothing' || !mark) return false;
  // Its cloud may have been started again meanwhile.
  if (markOf(device, await aliasIn(device))?.pid !== mark.pid) return false;
  await run('ip', ['link', 'delete', 'dev', device]).catch(() => undefined);
  if (removes === 'device and namespaces')
    for (const name of await namespacesBelow(mark.folder)) await removeNamespace(name);
  return true;
}

/** The devices of the machine that a cloud with this folder says to have made. */
export async function uplinksMadeBelow(folder: string): Promise<readonly SeenUplink[]> {
  const devices = (await readdir('/sys/class/net').catch(() => [])).filter(isUplink);
  const seen = await Promise.all(devices.map((device) => look(device)));
  return seen.filter(({ mark }) => mark !== undefined && isWithin(mark.folder, folder));
}

/** The namespaces of a host's switch and of its ports, by the folder of its OVN. */
export async function namespacesBelow(folder: string): Promise<string[]> {
  const name = namespaceOf(folder);
  const names = await readdir(NAMESPACES).catch(() => []);
  return names.filter((one) => one === name || one.startsWith(`${name}.`));
}

/** The folder that a person gave: the standalone cloud's, or the network service's own. */
export function dataFolderOf(ovn: string): string {
  const network = dirname(ovn);
  const isOfCloud = basename(network) === 'network' && dirname(network) !== OF_SERVICES;
  return isOfCloud ? dirname(network) : network;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

async function aliasIn(device: string): Promise<string> {
  return (await readFile(`/sys/class/net/${device}/ifalias`, 'utf8').catch(() => '')).trim();
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
