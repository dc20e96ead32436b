/** The image that a server boots from, for all drivers: its name on a host, its download. */
import { createHash } from 'node:crypto';
import { HypervisorError } from './hypervisor-error.js';

/**
 * An image as it was when a server was created from it. Its id alone does not identify its data: a
 * host may have cached other data under the same id.
 */
export interface BootImage {
  readonly id: string;
  /** The images service's name: `raw`, `qcow2`, `ami`, `aki` or `ari`; others are refused. */
  readonly diskFormat: string;
  /** SHA-512 of its data: 128 lowercase hexadecimal digits. */
  readonly sha512: string;
  /** Bytes of its data, if known. */
  readonly sizeBytes?: number;
  /** The image (`aki`) of the kernel, if a server does not boot from its disk. */
  readonly kernel?: BootImage;
  /** The image (`ari`) of the initial ramdisk; only with a kernel. */
  readonly ramdisk?: BootImage;
  /** Its properties, such as `hw_architecture`; absent from servers that are older than them. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** Starts the download; called once, and only if the image is not cached. */
export type OpenImage = () => Promise<AsyncIterable<Uint8Array>>;

const IMAGE_ID = /^[0-9a-z][0-9a-z-]{0,63}$/i;
const DISK_FORMAT = /^[0-9a-z]{1,16}$/;
const SHA512 = /^[0-9a-f]{128}$/;

/**
 * A name, safe for a file, that two images share only if they have the same data and the same
 * format. Throws `bug` if a part of it is malformed.
 */
export function imageName({ id, diskFormat, sha512 }: BootImage): string {
  requireImageId(id);
  if (!DISK_FORMAT.test(diskFormat)) {
    throw new HypervisorError('bug', 'The disk format of an image is malformed.');
  }
  if (!SHA512.test(sha512)) throw new HypervisorError('bug', 'The hash of an image is malformed.');
  return `${id}.${diskFormat}.${sha512}`;
}

/** Throws `bug` for anything but an image's id; it becomes part of a path. */
export function requireImageId(value: string): void {
  if (!IMAGE_ID.test(value)) throw new HypervisorError('bug', 'The id of an image is malformed.');
}

/**
 * Passes the image's data to `write` in chunks, and checks its size and its hash.
 * @returns the number of bytes
 * Throws `transient` if the download breaks off or the data does not match its hash. What `write`
 * throws is passed on unchanged.
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

/** The image's data; if it breaks off, the error says that the download did. */
async function* parts(imageId: string, open: OpenImage): AsyncGenerator<Uint8Array> {
  try {
    yield* await open();
  } catch (error) {
    if (error instanceof HypervisorError) throw error;
    throw new HypervisorError('transient', `Image ${imageId} could not be downloaded.`, error);
  }
}
