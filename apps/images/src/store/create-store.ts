import type { ImagesConfig } from '../config.js';
import { FileStore } from './file-store.js';
import type { ImageStore } from './image-store.js';
import { MemoryStore } from './memory-store.js';

export function createStore(config: ImagesConfig): ImageStore {
  switch (config.store) {
    case 'file':
      return new FileStore(config.storeFolder);
    case 'memory':
      return new MemoryStore();
  }
}
