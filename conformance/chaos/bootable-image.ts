/** An image that simulated servers boot: a boot sector, and nothing else. */
import type { CloudClient } from './cloud-client.js';

/**
 * @param properties of the image, besides its name and format
 * @returns its id
 */
export async function bootable(
  client: CloudClient,
  properties: Readonly<Record<string, string>> = {},
): Promise<string> {
  const json = { name: 'boots', disk_format: 'raw', container_format: 'bare', ...properties };
  const image = await client.send('POST', '/image/v2/images', { json });
  const { id } = image.body as { id: string };
  const bytes = new Uint8Array(512);
  bytes.set([0x55, 0xaa], 510);
  await client.send('PUT', `/image/v2/images/${id}/file`, { bytes });
  return id;
}
