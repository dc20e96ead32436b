/** The images that Tempest's servers boot, which the cloud is given: a disk of one boot sector. */
import type { CatalogSession } from './catalog-session.js';
import type { TempestConf } from './tempest.js';

const SECTOR_BYTES = 512;
/** The name of one of them. */
export const IMAGE = 'tempest-1';
/** Two flavors of the cloud's, of 128 and 256 MiB. */
const FLAVORS = { flavor_ref: '42', flavor_ref_alt: '84' };

/** @param session of an administrator, whose images everyone may boot */
export async function imagesConf(session: CatalogSession): Promise<TempestConf> {
  const [image_ref, image_ref_alt] = await Promise.all([
    upload(session, IMAGE),
    upload(session, 'tempest-2'),
  ]);
  return { compute: { ...FLAVORS, image_ref, image_ref_alt } };
}

/**
 * @param properties of the image, besides its name and format
 * @returns its id
 */
export async function upload(
  session: CatalogSession,
  name: string,
  properties: Readonly<Record<string, string>> = {},
): Promise<string> {
  const created = await session.send('image', '/v2/images', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name,
      disk_format: 'raw',
      container_format: 'bare',
      visibility: 'public',
      ...properties,
    }),
  });
  const { id } = (await created.json()) as { id: string };
  const disk = Buffer.alloc(SECTOR_BYTES);
  disk.writeUInt16LE(0xaa55, SECTOR_BYTES - 2);
  await session.send('image', `/v2/images/${id}/file`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: disk,
  });
  return id;
}
