/** What the metadata of a host's guests needs of the host, and what it is called there. */
import { createHash } from 'node:crypto';

export interface MetadataHost {
  /** The name of its chassis. */
  readonly host: string;
  /** The network namespace of its switch. */
  readonly namespace: string;
  /** The database in which its switch has its ports. */
  readonly switchDatabase: string;
  /** The southbound database, which says what is plugged in where. */
  readonly southbound: string;
  readonly ethtool: readonly [string, ...string[]];
}

/** The network namespace in which a network's guests find metadata on this host. */
export function namespaceFor({ namespace }: MetadataHost, networkId: string): string {
  return `${namespace}-${networkId}`;
}

/** Whether it is a namespace of some network, on this host. */
export function isNamespaceOf({ namespace }: MetadataHost, name: string): boolean {
  return name.startsWith(`${namespace}-`);
}

const DEVICE = 'meta';

/** The switch's end of the cable; Linux has 15 characters for it. */
export function deviceFor(networkId: string): string {
  return DEVICE + createHash('sha256').update(networkId).digest('hex').slice(0, 11);
}

export function isDevice(name: string): boolean {
  return /^meta[0-9a-f]{11}$/.test(name);
}
