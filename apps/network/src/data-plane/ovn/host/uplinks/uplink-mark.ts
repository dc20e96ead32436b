/**
 * Who made a device of the machine's: its alias says it, which `ip link` shows, and which goes with the
 * device. The name of the device follows from the rest, so an alias that says something else is none.
 */
import { readFile, readlink } from 'node:fs/promises';
import { hashOf } from '../host-settings.js';

export interface UplinkMark {
  readonly pid: number;
  /** When that process began, in the kernel's ticks: its number may be another's by now. */
  readonly began: string;
  /** The namespace of process numbers that this one is of. */
  readonly pids: string;
  /** The physical network that the device leads to, or another word for what it is. */
  readonly leadsTo: string;
  /** The folder of the host's OVN. */
  readonly folder: string;
}

/** Linux, IFALIASZ, less the byte that ends it. */
const MAX_BYTES = 255;
const FORM = /^cumulet pid=(\d+) began=(\d+) pids=(\d+) to=(\S+) folder=(\/.*)$/;

export function deviceOf({ folder, leadsTo }: Pick<UplinkMark, 'folder' | 'leadsTo'>): string {
  return `cumulet${hashOf(folder, leadsTo).slice(0, 8)}`;
}

/** @returns undefined if it would be longer than an alias may be: then nobody can tell whose it is */
export function aliasOf({ pid, began, pids, leadsTo, folder }: UplinkMark): string | undefined {
  const to = encodeURIComponent(leadsTo);
  const alias = `cumulet pid=${pid} began=${began} pids=${pids} to=${to} folder=${folder}`;
  return Buffer.byteLength(alias) <= MAX_BYTES && FORM.test(alias) ? alias : undefined;
}

/** @returns undefined for an alias that is not of this device */
export function markOf(device: string, alias: string): UplinkMark | undefined {
  const [, pid, began, pids, to, folder] = FORM.exec(alias) ?? [];
  if (pid === undefined || began === undefined || pids === undefined) return undefined;
  if (to === undefined || folder === undefined) return undefined;
  const mark = { pid: Number(pid), began, pids, leadsTo: decoded(to), folder };
  return deviceOf(mark) === device ? mark : undefined;
}

/** The mark of this process. */
export async function ownMark(folder: string, leadsTo: string): Promise<UplinkMark> {
  const began = (await beganOf(process.pid)) ?? '0';
  return { pid: process.pid, began, pids: await ownPids(), leadsTo, folder };
}

/** The number of the namespace that this process sees others' numbers in. */
export async function ownPids(): Promise<string> {
  return /\d+/.exec(await readlink('/proc/self/ns/pid').catch(() => ''))?.[0] ?? '0';
}

/** @returns when a process began; undefined if there is none of this number */
export async function beganOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name in parentheses may hold anything; the fields after it begin with the third.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
