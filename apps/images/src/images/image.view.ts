/** An image as clients read it. Public source: Image API reference, "Show image". */
import { firstPageUrl, nextPageUrl } from '@cumulet/common/http/paging';
import type { Image } from './image.entity.js';

export type ImageView = Readonly<Record<string, unknown>>;

export const IMAGES_PATH = '/v2/images';

export function imageView(image: Image): ImageView {
  const path = `${IMAGES_PATH}/${image.id}`;
  const hashed = image.hashValue !== null;
  return {
    ...image.properties,
    name: image.name,
    disk_format: image.diskFormat,
    container_format: image.containerFormat,
    visibility: image.visibility,
    size: image.size,
    // A raw disk is its data; of other formats only their content would tell.
    virtual_size: image.diskFormat === 'raw' ? image.size : null,
    status: image.state,
    checksum: image.checksum,
    protected: image.protected,
    min_ram: image.minRam,
    min_disk: image.minDisk,
    owner: image.owner,
    os_hidden: image.hidden,
    os_hash_algo: hashed ? 'sha512' : null,
    os_hash_value: image.hashValue,
    id: image.id,
    created_at: timestamp(image.createdAt),
    updated_at: timestamp(image.updatedAt),
    tags: image.tags,
    self: path,
    file: `${path}/file`,
    schema: '/v2/schemas/image',
  };
}

export interface ImagePage {
  readonly images: readonly Image[];
  /** The image after which the next page starts; absent on the last. */
  readonly nextMarker?: string | undefined;
}

/** @param requestUrl path and query of the list request, which the links repeat */
export function imageListView(page: ImagePage, requestUrl: string): ImageView {
  const { images, nextMarker } = page;
  return {
    images: images.map(imageView),
    first: firstPageUrl(requestUrl),
    schema: '/v2/schemas/images',
    ...(nextMarker === undefined ? {} : { next: nextPageUrl(requestUrl, nextMarker) }),
  };
}

/** `2026-01-31T12:00:00Z`: the image API knows no fractions of a second. */
function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
