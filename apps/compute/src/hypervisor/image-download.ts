/** Reads an image from the images service, for every driver alike. */
import { createHash } from 'node:crypto';
import { HypervisorError } from './hypervisor-error.js';
import type { BaseImageSource, WantedImage } from './hypervisor-driver.js';

/**
 * Hands the image's data to `write`, part by part, and checks that it is what is wanted.
 *
 * @returns how many bytes came
 * Throws `transient` where the download breaks off or the data is not what its hash says;
 * what `write` throws comes through as it is.
 */
export async function downloadImage(
  image: WantedImage,
  source: BaseImageSource,
  write: (part: Uint8Array) => Promise<void>,
): Promise<number> {
  const hash = createHash('sha512');
  let bytes = 0;
  for await (const part of parts(image.id, source)) {
    bytes += part.length;
    if (source.sizeBytes !== undefined && bytes > source.sizeBytes) break;
    hash.update(part);
    await write(part);
  }
  const whole = source.sizeBytes === undefined || bytes === source.sizeBytes;
  if (!whole || hash.digest('hex') !== image.sha512) {
    throw new HypervisorError('transient', `The data of image ${image.id} arrived damaged.`);
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
