/** What one host's OVN is called and where it keeps its files. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { OvnPrograms } from './ovn-programs.js';
import type { UplinkAddresses } from './uplinks/uplink-addresses.js';

export interface OvnFolder {
  readonly programs: OvnPrograms;
  /** The folder of databases, sockets and logs; no other cloud's and no other host's. */
  readonly folder: string;
}

export interface CentralOptions extends OvnFolder {
  /** The address at which other hosts reach the databases; undefined if there are none. */
  readonly listen?: string | undefined;
}

/** How a host's tunnels leave it. */
export interface Tunnel {
  /** The machine's device that leads to the other hosts, or a bridge. */
  readonly device: string;
  /** The switch's own address there, with its prefix. */
  readonly address: string;
}

export interface ChassisOptions extends OvnFolder {
  /** The name of this host's chassis, as ports name their host. */
  readonly host: string;
  /** The southbound database; the path of a socket may be relative to the folder. */
  readonly southbound: string;
  readonly availabilityZones: readonly string[];
  /** Undefined where there is no other host. */
  readonly tunnel?: Tunnel | undefined;
  /** Physical networks that provider networks may be on. */
  readonly physicalNetworks: readonly string[];
  /** The machine's own addresses there. */
  readonly uplinkAddresses: UplinkAddresses;
}

/** Of a host whose OVN is all its own. */
export type OvnHostOptions = Omit<ChassisOptions, 'southbound'> & CentralOptions;

/** What everything of a host is named after, so that the next process finds it. */
export function hostKey(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 8);
}

/** The network namespace in which the switch and all of its ports are. */
export function namespaceOf(folder: string): string {
  return `cumulet-${hostKey(folder)}`;
}

/** Whom the daemons run as: a number that belongs to nobody else, as those of guests do. */
export function accountOf(folder: string): number {
  return 0x6f000000 + (parseInt(hostKey(folder), 16) & 0x00ffffff);
}

export function socketOf(folder: string, name: string): string {
  return `unix:${join(folder, `${name}.sock`)}`;
}

/** The bridge in the namespace that leads to a physical network. */
export function bridgeOf(physicalNetwork: string): string {
  return `br-${hashOf(physicalNetwork).slice(0, 8)}`;
}

/** The same for the same words. @returns hexadecimal digits */
export function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}
