/** The image that a server boots, for all drivers: its name on a host, and its download. */
import { createHash } from 'node:crypto';
import { HypervisorError } from './hypervisor-error.js';

/** An image as it was at its server's creation. A host may hold other data under the same ID. */
export interface BootImage {
  readonly id: string;
  /** The images service's name: `raw`, `qcow2`, `ami`, `aki` or `ari`. */
  readonly diskFormat: string;
  /** SHA-512 of its data: 128 lowercase hexadecimal digits. */
  readonly sha512: string;
  readonly sizeBytes?: number;
  /** The kernel's image (`aki`), if the server does not boot from its disk. */
  readonly kernel?: BootImage;
  /** The initial ramdisk's image (`ari`); only with a kernel. */
  readonly ramdisk?: BootImage;
  /** Such as `hw_architecture`; absent from servers of earlier versions. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** Starts the download; called once, if the image is not cached. */
export type OpenImage = () => Promise<AsyncIterable<Uint8Array>>;

const IMAGE_ID = /^[0-9a-z][0-9a-z-]{0,63}$/i;
const DISK_FORMAT = /^[0-9a-z]{1,16}$/;
const SHA512 = /^[0-9a-f]{128}$/;

/** Safe for a file; equal only for the same data and format. Throws `bug` for a malformed part. */
export function imageName({ id, diskFormat, sha512 }: BootImage): string {
  requireImageId(id);
  if (!DISK_FORMAT.test(diskFormat)) {
    throw new HypervisorError('bug', 'The disk format of an image is malformed.');
  }
  if (!SHA512.test(sha512)) throw new HypervisorError('bug', 'The hash of an image is malformed.');
  return `${id}.${diskFormat}.${sha512}`;
}

/** Throws `bug` for anything but an image's ID, as it becomes part of a path. */
export function requireImageId(value: string): void {
  if (!IMAGE_ID.test(value)) throw new HypervisorError('bug', 'The id of an image is malformed.');
}

/**
 * Passes the data to `write` in chunks, and checks its size and hash. Throws `transient` if the
 * download breaks off or does not match; errors of `write` are passed on.
 * @returns the number of bytes
 */
export async function downloadImage(
  image: BootImage,
  open: OpenImage,
  write: (part: Uint8Array) => Promise<void>,
): Promise<number> {
  const { sizeBytes } = image;
  const hash = createHash('sha512');
  let bytes = 0;
  for await (const part of parts(image.id, open)) {
    bytes += part.length;
    if (sizeBytes !== undefined && bytes > sizeBytes) break;
    hash.update(part);
    await write(part);
  }
  const whole = sizeBytes === undefined || bytes === sizeBytes;
  if (!whole || hash.digest('hex') !== image.sha512) {
    throw new HypervisorError('transient', `The data of image ${image.id} arrived damaged.`);
  }
  return bytes;
}

/** An error says that the download broke off. */
async function* parts(imageId: string, open: OpenImage): AsyncGenerator<Uint8Array> {
  try {
    yield* await open();
  } catch (error) {
    if (error instanceof HypervisorError) throw error;
    throw new HypervisorError('transient', `Image ${imageId} could not be downloaded.`, error);
  }
}
