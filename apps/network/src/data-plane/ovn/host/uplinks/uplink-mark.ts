/**
 * Marks the creator of a device in its alias, which `ip link` shows and which is removed with the
 * device. The device's name follows from the mark, so an alias that does not match its device is
 * ignored.
 */
import { readFile, readlink } from 'node:fs/promises';
import { hashOf } from '../host-settings.js';

export interface UplinkMark {
  readonly pid: number;
  /** Start time of that process in clock ticks, since PIDs are reused. */
  readonly began: string;
  /** The PID namespace of that process. */
  readonly pids: string;
  /** The physical network that the device leads to, or another purpose. */
  readonly leadsTo: string;
  readonly folder: string;
}

/** Linux's IFALIASZ, without the terminating byte. */
const MAX_BYTES = 255;
const FORM = /^cumulet pid=(\d+) began=(\d+) pids=(\d+) to=(\S+) folder=(\/.*)$/;

export function deviceOf({ folder, leadsTo }: Pick<UplinkMark, 'folder' | 'leadsTo'>): string {
  return `cumulet${hashOf(folder, leadsTo).slice(0, 8)}`;
}

/** @returns undefined if the alias would be too long; the device then stays unmarked */
export function aliasOf({ pid, began, pids, leadsTo, folder }: UplinkMark): string | undefined {
  const to = encodeURIComponent(leadsTo);
  const alias = `cumulet pid=${pid} began=${began} pids=${pids} to=${to} folder=${folder}`;
  return Buffer.byteLength(alias) <= MAX_BYTES && FORM.test(alias) ? alias : undefined;
}

/** @returns undefined for an alias that does not match the device */
export function markOf(device: string, alias: string): UplinkMark | undefined {
  const [, pid, began, pids, to, folder] = FORM.exec(alias) ?? [];
  if (pid === undefined || began === undefined || pids === undefined) return undefined;
  if (to === undefined || folder === undefined) return undefined;
  const mark = { pid: Number(pid), began, pids, leadsTo: decoded(to), folder };
  return deviceOf(mark) === device ? mark : undefined;
}

export async function ownMark(folder: string, leadsTo: string): Promise<UplinkMark> {
  const began = (await beganOf(process.pid)) ?? '0';
  return { pid: process.pid, began, pids: await ownPids(), leadsTo, folder };
}

/** The inode of the PID namespace of this process. */
export async function ownPids(): Promise<string> {
  return /\d+/.exec(await readlink('/proc/self/ns/pid').catch(() => ''))?.[0] ?? '0';
}

/** @returns the start time of a process; undefined if there is none */
export async function beganOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name in parentheses may contain anything; the fields after it begin with the third.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
