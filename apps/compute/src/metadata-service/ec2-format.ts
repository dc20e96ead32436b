/**
 * The EC2 format: a tree of texts below a version; directories list their entries. Pure. Public
 * source: Amazon EC2 user guide, "Instance metadata categories"; Nova user guide, "Metadata",
 * "EC2-compatible metadata".
 */
import { DEFAULT_ZONE } from '../hosts/host.entity.js';
import { type GuestMetadata, linesOf, listOf, text, type Answer } from './guest-metadata.js';

const VERSIONS = [
  '1.0',
  '2007-01-19',
  '2007-03-01',
  '2007-08-29',
  '2007-10-10',
  '2007-12-15',
  '2008-02-01',
  '2008-09-01',
  '2009-04-04',
] as const;

interface Directory {
  readonly [name: string]: Node | undefined;
}

type Node = string | Buffer | Directory;

/** @param path in parts, from the version on. @returns undefined if there is nothing */
export function ec2Answer(
  guest: GuestMetadata,
  [version, ...path]: readonly string[],
): Answer | undefined {
  if (version === undefined) return listOf([...VERSIONS, 'latest']);
  const at =
    version === 'latest' ? VERSIONS.length - 1 : VERSIONS.findIndex((one) => one === version);
  if (at < 0) return undefined;
  let node: Node | undefined = treeOf(guest, (since) => at >= VERSIONS.indexOf(since));
  for (const name of path) {
    if (node === undefined || !isDirectory(node)) return undefined;
    node = Object.hasOwn(node, name) ? node[name] : undefined;
  }
  if (node === undefined) return undefined;
  if (!isDirectory(node)) return text(node);
  // Keys are listed by name, and found by number.
  const isOfKeys = path.join('/') === 'meta-data/public-keys';
  return listOf(isOfKeys ? [`0=${guest.server.keypair?.name ?? ''}`] : namesOf(node));
}

function treeOf(
  { server, nics }: GuestMetadata,
  has: (since: (typeof VERSIONS)[number]) => boolean,
): Directory {
  const own = nics.flatMap(({ addresses }) => addresses).find(({ address }) => isIpv4(address));
  const floating = nics.flatMap(({ floatingIps }) => floatingIps)[0];
  const groups = [...new Set(nics.flatMap(({ groupNames }) => groupNames))].sort();
  const { keypair, image, hostname } = server;
  const user = server.userData === null ? undefined : Buffer.from(server.userData, 'base64');
  return {
    'meta-data': {
      'ami-id': idOf('ami', server.imageId),
      'ami-launch-index': String(server.launchIndex),
      // EC2's value for an image without a manifest.
      'ami-manifest-path': '(unknown)',
      hostname,
      'instance-id': idOf('i', server.id),
      'local-ipv4': own?.address ?? '',
      'reservation-id': server.reservationId,
      'security-groups': linesOf(groups),
      'public-keys': keypair ? { '0': { 'openssh-key': keypair.publicKey } } : undefined,
      ...(has('2007-01-19')
        ? {
            'local-hostname': hostname,
            'public-hostname': hostname,
            'public-ipv4': floating?.floatingAddress ?? '',
          }
        : {}),
      ...(has('2007-08-29') ? { 'instance-type': server.flavor.name } : {}),
      ...(has('2007-12-15')
        ? {
            'block-device-mapping': { ami: 'vda', root: '/dev/vda' },
            'kernel-id': image.kernel && idOf('aki', image.kernel.id),
            'ramdisk-id': image.ramdisk && idOf('ari', image.ramdisk.id),
          }
        : {}),
      ...(has('2008-02-01')
        ? { placement: { 'availability-zone': server.zone ?? DEFAULT_ZONE } }
        : {}),
      ...(has('2008-09-01') ? { 'instance-action': 'none' } : {}),
    },
    'user-data': user,
  };
}

function isIpv4(address: string): boolean {
  return !address.includes(':');
}

/** EC2's IDs have 8 digits. */
function idOf(prefix: string, id: string): string {
  return `${prefix}-${id.slice(0, 8)}`;
}

/** Directories end with a slash. */
function namesOf(directory: Directory): string[] {
  return Object.entries(directory)
    .flatMap(([name, node]) => {
      if (node === undefined) return [];
      return isDirectory(node) ? `${name}/` : name;
    })
    .sort();
}

function isDirectory(node: Node): node is Directory {
  return typeof node === 'object' && !Buffer.isBuffer(node);
}
