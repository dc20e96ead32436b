/** Imports as requested by clients. */
import type { ByteStore } from '@cumulet/storage/stores/byte-store';
import type { TestResponse } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import type { TestImages, WireImage } from '../images.fixture.js';

type AnyImages = TestImages<ByteStore>;

export const DIRECT = { method: { name: 'glance-direct' } };

/** The body of an import from the web. */
export function download(uri: string | undefined): object {
  return { method: { name: 'web-download', uri } };
}

export function stage(
  images: AnyImages,
  id: string,
  data: Uint8Array | string,
): Promise<TestResponse> {
  return images.client.put(`/v2/images/${id}/stage`, {
    token: images.member,
    body: data,
    headers: { 'Content-Type': 'application/octet-stream' },
  });
}

export function importInto(
  images: AnyImages,
  id: string,
  body: object,
  token = images.member,
): Promise<TestResponse> {
  return images.client.post(`/v2/images/${id}/import`, { token, body });
}

/** The image once its import has ended. */
export async function imported(images: AnyImages, id: string): Promise<WireImage> {
  let image = await images.show(id);
  await eventually(`image ${id} does not import any more`, async () => {
    image = await images.show(id);
    return image.status !== 'importing';
  });
  return image;
}
