/** Reads an image from the images service, for every driver alike. */
import { createHash } from 'node:crypto';
import { HypervisorError } from './hypervisor-error.js';
import type { BaseImageSource } from './hypervisor-driver.js';

/**
 * Hands the image's data to `write`, part by part, and checks that all of it came.
 *
 * @returns how many bytes came
 * Throws `transient` where the download breaks off or the data is not what its checksum says;
 * what `write` throws comes through as it is.
 */
export async function downloadImage(
  imageId: string,
  source: BaseImageSource,
  write: (part: Uint8Array) => Promise<void>,
): Promise<number> {
  const hash = source.checksum && createHash(source.checksum.algorithm);
  let bytes = 0;
  for await (const part of parts(imageId, source)) {
    bytes += part.length;
    if (source.sizeBytes !== undefined && bytes > source.sizeBytes) break;
    hash?.update(part);
    await write(part);
  }
  const whole = source.sizeBytes === undefined || bytes === source.sizeBytes;
  if (!whole || hash?.digest('hex') !== source.checksum?.value.toLowerCase()) {
    throw new HypervisorError('transient', `The data of image ${imageId} arrived damaged.`);
  }
  return bytes;
}

/** The image's data; where it breaks off, the error says that it was the download. */
async function* parts(imageId: string, source: BaseImageSource): AsyncGenerator<Uint8Array> {
  try {
    yield* await source.open();
  } catch (error) {
    if (error instanceof HypervisorError) throw error;
    throw new HypervisorError('transient', `Image ${imageId} could not be downloaded.`, error);
  }
}
