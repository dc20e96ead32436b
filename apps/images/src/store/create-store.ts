import type { ImagesConfig } from '../config.js';
import { FileStore } from './file-store.js';
import type { ImageStore } from './image-store.js';
import { MemoryStore } from './memory-store.js';
import { S3Store } from './s3-store.js';
import { s3Location } from './s3.settings.js';

/** @throws SettingError if the chosen store lacks a setting */
export function createStore(config: ImagesConfig): ImageStore {
  switch (config.store) {
    case 'file':
      return new FileStore(config.storeFolder);
    case 'memory':
      return new MemoryStore();
    case 's3':
      return new S3Store(s3Location(config), config.imageSizeLimit);
  }
}
