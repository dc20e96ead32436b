import type { Image } from './image.entity.js';
import { ImageFormatMissingError } from './image.errors.js';

/** Data is only worth storing once it is said what it is. @throws ImageFormatMissingError */
export function requireFormats({ id, diskFormat, containerFormat }: Image): void {
  const missing = [
    ...(diskFormat === null ? ['disk_format'] : []),
    ...(containerFormat === null ? ['container_format'] : []),
  ];
  if (missing.length > 0) throw new ImageFormatMissingError(id, missing);
}
