/** How an image is known on a host, by every driver. */
import { HypervisorError } from './hypervisor-error.js';
import type { WantedImage } from './hypervisor-driver.js';

const IMAGE_ID = /^[0-9a-z][0-9a-z-]{0,63}$/i;
const DISK_FORMAT = /^[0-9a-z]{1,16}$/;
const SHA512 = /^[0-9a-f]{128}$/;

/**
 * A name that two images share only where they have the same data and are judged alike. It is
 * fit to be a file's. Throws `bug` where a part of it is malformed.
 */
export function imageName({ id, diskFormat, sha512 }: WantedImage): string {
  requireImageId(id);
  if (!DISK_FORMAT.test(diskFormat)) {
    throw new HypervisorError('bug', 'The disk format of an image is malformed.');
  }
  if (!SHA512.test(sha512)) throw new HypervisorError('bug', 'The hash of an image is malformed.');
  return `${id}.${diskFormat}.${sha512}`;
}

/** Throws `bug` for what is not an image's id; it becomes part of a path. */
export function requireImageId(value: string): void {
  if (!IMAGE_ID.test(value)) throw new HypervisorError('bug', 'The id of an image is malformed.');
}
