/** An image as clients read it. Public source: Image API reference, "Show image". */
import { firstPageUrl, nextPageUrl } from '@cumulet/common/http/paging';
import { imageSize, imageStatus } from './image-status.js';
import type { Image } from './image.entity.js';
import { IMPORT_STATES } from './image.states.js';
import { timestamp } from './timestamp.js';

export type ImageView = Readonly<Record<string, unknown>>;

export const IMAGES_PATH = '/v2/images';

/** @param store the id of the one store */
export function imageView(image: Image, store: string): ImageView {
  const path = `${IMAGES_PATH}/${image.id}`;
  const hashed = image.hashValue !== null;
  return {
    ...image.properties,
    name: image.name,
    disk_format: image.diskFormat,
    container_format: image.containerFormat,
    visibility: image.visibility,
    size: imageSize(image),
    virtual_size: image.virtualSize,
    status: imageStatus(image.state),
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
    ...(image.size === null ? {} : { stores: store }),
    ...importView(image, store),
    ...(image.stateReason === null ? {} : { os_glance_status_reason: image.stateReason }),
    self: path,
    file: `${path}/file`,
    schema: '/v2/schemas/image',
  };
}

/** By these, clients that wait for an import see in which stores it is under way, or has failed. */
function importView({ state, previousState }: Image, store: string): ImageView {
  if (IMPORT_STATES.includes(state)) {
    return { os_glance_importing_to_stores: store, os_glance_failed_import: '' };
  }
  return state === 'queued' && IMPORT_STATES.some((one) => one === previousState)
    ? { os_glance_importing_to_stores: '', os_glance_failed_import: store }
    : {};
}

export interface ImagePage {
  readonly images: readonly Image[];
  /** The image after which the next page starts; absent on the last. */
  readonly nextMarker?: string | undefined;
}

/**
 * @param requestUrl path and query of the list request, which the links repeat
 * @param store the id of the one store
 */
export function imageListView(page: ImagePage, requestUrl: string, store: string): ImageView {
  const { images, nextMarker } = page;
  return {
    images: images.map((image) => imageView(image, store)),
    first: firstPageUrl(requestUrl),
    schema: '/v2/schemas/images',
    ...(nextMarker === undefined ? {} : { next: nextPageUrl(requestUrl, nextMarker) }),
  };
}
