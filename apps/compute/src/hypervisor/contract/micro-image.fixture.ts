/** The `micro` image of apps/standalone: a whole Linux. */
import { readFile } from 'node:fs/promises';
import { builtMicro } from '@cumulet/testing/micro-image';
import { imageOf, type UploadedImage } from './harness.fixture.js';

export async function microImage(): Promise<UploadedImage> {
  return imageOf(await readFile(await builtMicro()), { diskFormat: 'qcow2' });
}
