import type { ImagesConfig } from '../config.js';

/** Public source: Image API reference, "Interoperable image import". */
const IMPORT_METHODS = ['glance-direct', 'web-download'] as const;
export type ImportMethod = (typeof IMPORT_METHODS)[number];

export function enabledMethods({ webDownload }: ImagesConfig): readonly ImportMethod[] {
  return IMPORT_METHODS.filter((name) => name !== 'web-download' || webDownload);
}
