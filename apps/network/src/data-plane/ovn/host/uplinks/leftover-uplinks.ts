/**
 * Handles an uplink of another cloud that holds the route which this cloud needs. It is removed
 * only if it is certainly unused: it names its creator, that process has ended, and no process uses
 * the folder or namespaces of that cloud. Otherwise the operator learns whose it is and how to
 * remove it.
 */
import { access, readdir, readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { processesUsing } from '@cumulet/common/programs/processes-using';
import { namespaceOf } from '../host-settings.js';
import { namespacesOfHost, processesIn, removeNamespace, run } from '../switch-namespace.js';
import { beganOf, markOf, ownPids, type UplinkMark } from './uplink-mark.js';

export interface SeenUplink {
  readonly device: string;
  /** Undefined if it does not name its creator. */
  readonly mark: UplinkMark | undefined;
  /** Whether the PIDs in the mark are valid in this PID namespace. */
  readonly areNumbersOurs: boolean;
  readonly doesMakerRun: boolean;
  readonly isFolderThere: boolean;
  /** Whether the network namespace that it leads into is visible from here. */
  readonly isNamespaceThere: boolean;
  /** Processes that use the folder or namespaces of that cloud. */
  readonly pids: readonly number[];
  /** Whether all such processes are visible from here. */
  readonly arePidsAll: boolean;
}

export interface Judgement {
  readonly removes: 'nothing' | 'device' | 'device and namespaces';
  /** Follows the device's name in the start-up message. */
  readonly words: string;
}

const NAME = /^cumulet[0-9a-f]{8}$/;
/** The folder of services that run as separate processes. */
const OF_SERVICES = '/var/lib/cumulet';

/** Programs that outlive a killed cloud, by the kernel's 15 characters of their names. */
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
/** Names of Node.js processes, by version. */
const NODE = ['node', 'MainThread'];

export function isProgramOfCloud(program: string): boolean {
  return PROGRAMS.includes(program) || QEMU.test(program);
}

/** As `isProgramOfCloud`, or the cloud itself. */
export function mayBeOfCloud(program: string): boolean {
  return isProgramOfCloud(program) || NODE.includes(program);
}

/** Whether a cloud, of this version or an earlier one, has created the device. */
export function isUplink(device: string | undefined): device is string {
  return device !== undefined && NAME.test(device);
}

/** Decides what to do with the uplink and what to report. Pure. */
export function judge(seen: SeenUplink): Judgement {
  const { device, mark, pids } = seen;
  const nothing = (words: string): Judgement => ({ removes: 'nothing', words });
  if (!mark)
    return nothing(
      `of another cloud, which it does not name: if that cloud no longer runs, ip link delete ${device}`,
    );
  const cloud = `of the cloud in ${dataFolderOf(mark.folder)}`;
  const destroy = `npm run cumulet -- destroy ${dataFolderOf(mark.folder)}`;
  if (!seen.areNumbersOurs) return nothing(`${cloud}, which was started in another container`);
  if (seen.doesMakerRun) return nothing(`${cloud}, which runs (pid ${mark.pid})`);
  const state = seen.isFolderThere ? 'which was killed' : 'whose folder is gone';
  if (pids.length > 0)
    return nothing(
      `${cloud}, ${state}, and whose processes are still running (${pids.join(', ')}): ${destroy}`,
    );
  if (!seen.isNamespaceThere || !seen.arePidsAll) return nothing(`${cloud}, ${state}: ${destroy}`);
  // If the folder exists, its cloud may be started again, which uses the namespace.
  const removes = seen.isFolderThere ? 'device' : 'device and namespaces';
  return { removes, words: `${cloud}, ${state}` };
}

/** @returns the facts about a device that `judge` needs, as seen from this machine */
export async function inspectUplink(device: string): Promise<SeenUplink> {
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
    // A process that starts in the cloud's folder opens its lock before anything else.
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

/** Removes a device that `judge` found unused. @returns whether the device is gone */
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

/** The machine's devices that a cloud with this folder has marked as its own. */
export async function uplinksMadeBelow(folder: string): Promise<readonly SeenUplink[]> {
  const devices = (await readdir('/sys/class/net').catch(() => [])).filter(isUplink);
  const seen = await Promise.all(devices.map((device) => inspectUplink(device)));
  return seen.filter(({ mark }) => mark !== undefined && isWithin(mark.folder, folder));
}

/** The network namespaces of a host, by the folder of its OVN. */
export function namespacesBelow(folder: string): Promise<string[]> {
  return namespacesOfHost(namespaceOf(folder));
}

/** The folder that the operator chose: the standalone cloud's, or the network service's own. */
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
