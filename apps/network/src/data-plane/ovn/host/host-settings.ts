import { createHash } from 'node:crypto';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificateFiles } from '../../ovsdb/ovsdb-certificates.js';
import type { CentralPrograms, OvnPrograms } from './ovn-programs.js';

import type { PhysicalDevices, UplinkAddresses } from './uplinks/uplink-settings.js';

export interface OvnFolder {
  readonly programs: CentralPrograms;
  /** The folder of databases, sockets and logs, for this cloud and host alone. */
  readonly folder: string;
  /** What the daemons show each other at `ssl:` addresses; undefined if there are none. */
  readonly certificates?: CertificateFiles | undefined;
}

export interface CentralOptions extends OvnFolder {
  /** The address at which other hosts reach the databases; undefined if there are none. */
  readonly listen?: string | undefined;
}

export interface Tunnel {
  /** The device or bridge of the machine that leads to the other hosts. */
  readonly device: string;
  /** The switch's own address there, with its prefix length. */
  readonly address: string;
}

export interface ChassisOptions extends OvnFolder {
  readonly programs: OvnPrograms;
  /** The name of this host's chassis. */
  readonly host: string;
  /** Addresses of the southbound database; a socket's path may be relative to the folder. */
  readonly southbound: string;
  readonly availabilityZones: readonly string[];
  /** Undefined if there is no other host. */
  readonly tunnel?: Tunnel | undefined;
  /** Physical networks that the host is connected to. */
  readonly physicalNetworks: readonly string[];
  /** The machine's own addresses there. */
  readonly uplinkAddresses: UplinkAddresses;
  /** The machine's devices that lead there; networks without one get a veth pair. */
  readonly physicalDevices?: PhysicalDevices | undefined;
}

/** Options of a host that runs its own OVN databases. */
export type OvnHostOptions = Omit<ChassisOptions, 'southbound'> & CentralOptions;

/** Part of the names of everything that belongs to a host, so that a later process finds it. */
export function hostKey(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 8);
}

/** The network namespace of the switch and all of its ports. */
export function namespaceOf(folder: string): string {
  return `cumulet-${hostKey(folder)}`;
}

/** UID of the daemons: one that no account has; undefined for that of this process, unless root. */
export function accountOf(folder: string): number | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return 0x6f000000 + (parseInt(hostKey(folder), 16) & 0x00ffffff);
}

/** Makes a file one of the daemons'. */
export async function giveToDaemons(folder: string, path: string): Promise<void> {
  const account = accountOf(folder);
  if (account !== undefined) await chown(path, account, account);
}

export function socketOf(folder: string, name: string): string {
  return `unix:${join(folder, `${name}.sock`)}`;
}

/** The bridge in the namespace that leads to a physical network. */
export function bridgeOf(physicalNetwork: string): string {
  return `br-${hashOf(physicalNetwork).slice(0, 8)}`;
}

/** @returns a hash of the parts, as hexadecimal digits */
export function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}
