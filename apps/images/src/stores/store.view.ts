/** The one store, in Glance's words. Public source: Image API reference, "List stores". */
import type { ImagesConfig } from '../config.js';

export interface StoresView<Store> {
  readonly stores: readonly Store[];
}

export interface StoreView {
  readonly id: string;
  readonly default: 'true';
}

export interface StoreDetailView extends StoreView {
  readonly type: string;
  readonly weight: number;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Bytes of one read of a file. */
const FILE_CHUNK = 512 * 1024;

/** Megabytes of the first part of an upload. */
const S3_PART = 8;

export function storeView({ store }: ImagesConfig): StoreView {
  return { id: store, default: 'true' };
}

export function storeDetailView(config: ImagesConfig): StoreDetailView {
  return { ...storeView(config), type: config.store, weight: 0, properties: properties(config) };
}

function properties({ store, storeFolder }: ImagesConfig): StoreDetailView['properties'] {
  switch (store) {
    case 'file':
      return { data_dir: storeFolder, chunk_size: FILE_CHUNK, thin_provisioning: false };
    case 's3':
      return {
        s3_store_large_object_size: 0,
        s3_store_large_object_chunk_size: S3_PART,
        s3_store_thread_pools: 1,
      };
    case 'memory':
      return {};
  }
}
