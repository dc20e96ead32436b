/**
 * The OpenStack format: JSON files below a version; later versions have more. Pure. Public source:
 * Nova user guide, "Metadata", "OpenStack format metadata".
 */
import { randomBytes } from 'node:crypto';
import { networkDataOf } from '../nics/network-data.js';
import { contentsOf, metaDataOf } from '../servers/meta-data.js';
import { json, listOf, text, type Answer, type GuestMetadata } from './guest-metadata.js';

const VERSIONS = [
  '2012-08-10',
  '2013-04-04',
  '2013-10-17',
  '2015-10-15',
  '2016-06-30',
  '2016-10-06',
  '2017-02-22',
  '2018-08-27',
  '2020-10-14',
  '2025-04-04',
] as const;
const SEED_BYTES = 512;

interface File {
  /** The first version with the file. */
  readonly since: string;
  readonly answer: (guest: GuestMetadata, version: string) => Answer | undefined;
}

const FILES: Readonly<Record<string, File>> = {
  'meta_data.json': { since: '2012-08-10', answer: metaData },
  user_data: { since: '2012-08-10', answer: userData },
  password: {
    since: '2013-04-04',
    answer: ({ server }) => text(server.guestPassword ?? ''),
  },
  // Operators have no way to add any.
  'vendor_data.json': { since: '2013-10-17', answer: () => json({}) },
  'network_data.json': {
    since: '2015-10-15',
    answer: ({ nics }) => json(networkDataOf(nics) ?? {}),
  },
  'vendor_data2.json': { since: '2016-10-06', answer: () => json({ static: {} }) },
};

/** @param path below `openstack`, in parts. @returns undefined if there is nothing */
export function openstackAnswer(
  guest: GuestMetadata,
  [first, ...rest]: readonly string[],
): Answer | undefined {
  if (first === undefined) return listOf([...VERSIONS, 'latest']);
  if (first === 'content') return content(guest, rest);
  const version = first === 'latest' ? VERSIONS.at(-1) : VERSIONS.find((one) => one === first);
  if (version === undefined) return undefined;
  const files = Object.entries(FILES).filter(([, { since }]) => since <= version);
  const [name, ...more] = rest;
  if (name === undefined)
    return listOf(
      files
        .filter(([one]) => one !== 'user_data' || guest.server.userData !== null)
        .map(([one]) => one),
    );
  const file = files.find(([one]) => one === name);
  return more.length > 0 ? undefined : file?.[1].answer(guest, version);
}

/** Whether a guest may post its password there. */
export function isPasswordPath([first, version = '', name, ...more]: readonly string[]): boolean {
  const isVersion =
    version === 'latest' || VERSIONS.some((one) => one === version && one >= '2013-04-04');
  return first === 'openstack' && isVersion && name === 'password' && more.length === 0;
}

function metaData({ server, nics }: GuestMetadata, version: string): Answer {
  const { project_id, ...first } = metaDataOf(server);
  const files = contentsOf(server).map(({ path, contentPath }) => ({
    path,
    content_path: contentPath,
  }));
  return json({
    ...first,
    ...(files.length > 0 ? { files } : {}),
    ...(version >= '2013-04-04' ? { random_seed: randomBytes(SEED_BYTES).toString('base64') } : {}),
    ...(version >= '2015-10-15' ? { project_id } : {}),
    ...(version >= '2016-06-30' ? { devices: devicesOf(server.diskTag, nics) } : {}),
    ...(version >= '2020-10-14' ? { dedicated_cpus: [] } : {}),
  });
}

/** Devices with a tag. */
function devicesOf(diskTag: string | null, nics: GuestMetadata['nics']): object[] {
  const disk = { type: 'disk', bus: 'none', address: 'none', tags: [diskTag] };
  const nicDevices = nics.flatMap(({ tag, macAddress }) =>
    tag === null
      ? []
      : [{ type: 'nic', bus: 'none', address: 'none', mac: macAddress, tags: [tag] }],
  );
  return [...(diskTag === null ? [] : [disk]), ...nicDevices];
}

function userData({ server: { userData: base64 } }: GuestMetadata): Answer | undefined {
  return base64 === null ? undefined : text(Buffer.from(base64, 'base64'));
}

/** The files that the server was created with, by their numbers in `meta_data.json`. */
function content(
  { server }: GuestMetadata,
  [number, ...more]: readonly string[],
): Answer | undefined {
  const file = contentsOf(server).find(
    ({ contentPath }) => contentPath === `/content/${number ?? ''}`,
  );
  return file && more.length === 0 ? text(Buffer.from(file.contents, 'base64')) : undefined;
}
