import type { ByteStore } from './byte-store.js';
import { FileStore } from './file-store.js';
import { MemoryStore } from './memory-store.js';
import { S3Store } from './s3-store.js';
import { s3Location, type StoreConfig, type StoreSettings } from './store-settings.js';

export interface CreateStoreOptions {
  /** The kind of data, in one word: `image`. */
  readonly holds: string;
  /** Maximum bytes of an object. */
  readonly sizeLimit: number;
}

/**
 * The store that the service's settings choose.
 * @param settings their declaration, by which errors name them
 * @throws SettingError if the chosen store lacks a setting
 */
export function createStore(
  settings: StoreSettings,
  config: StoreConfig,
  { holds, sizeLimit }: CreateStoreOptions,
): ByteStore {
  switch (config.store) {
    case 'file':
      return new FileStore(config.storeFolder, holds);
    case 'memory':
      return new MemoryStore(holds);
    case 's3':
      return new S3Store(s3Location(settings, config), holds, sizeLimit);
  }
}
