/** How data can be imported. Public source: Image API reference, "Interoperable image import". */
import { Inject, Injectable } from '@nestjs/common';
import type { ImagesConfig } from '../config.js';
import { IMAGES_CONFIG } from '../injection-tokens.js';
import { ImportMethodUnsupportedError } from './import.errors.js';

export const IMPORT_METHODS = ['glance-direct', 'web-download'] as const;
export type ImportMethod = (typeof IMPORT_METHODS)[number];

@Injectable()
export class ImportMethods {
  /** Those that this cloud offers. */
  readonly enabled: readonly ImportMethod[];

  constructor(@Inject(IMAGES_CONFIG) { webDownload }: ImagesConfig) {
    this.enabled = IMPORT_METHODS.filter((name) => name !== 'web-download' || webDownload);
  }

  /** @throws ImportMethodUnsupportedError */
  require(name: string): ImportMethod {
    const method = this.enabled.find((one) => one === name);
    if (method === undefined) throw new ImportMethodUnsupportedError(name, this.enabled);
    return method;
  }
}
