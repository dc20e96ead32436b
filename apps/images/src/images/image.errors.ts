import {
  DomainError,
  ForbiddenError,
  type DomainErrorOptions,
  notFound,
  forbidden,
  errorOf,
  invalid,
} from '@cumulet/common/errors/domain-error';
import { MAX_TAGS } from './image.attributes.js';

export class ImageNotFoundError extends notFound((id: string) => `No image found with ID ${id}.`) {}

export class ReadOnlyAttributeError extends forbidden(
  (name: string) => `Attribute '${name}' is read-only.`,
) {}

export class ReservedAttributeError extends forbidden(
  (name: string) => `Attribute '${name}' is reserved.`,
) {}

export function publicImageForbidden(): ForbiddenError {
  return new ForbiddenError("Making an image public (visibility 'public') needs the role admin.");
}

export class TooManyTagsError extends errorOf(
  'too-large',
  `An image may have at most ${MAX_TAGS} tags.`,
) {}

export class ImageTooLargeError extends errorOf(
  'too-large',
  (limit: number) => `The data of an image may have at most ${limit} bytes.`,
) {}

export class UploadSizeMismatchError extends invalid(
  (announced: number, received: number) =>
    `The upload announced ${announced} bytes and sent ${received}.`,
) {}

export class UploadStalledError extends invalid(
  (seconds: number) => `The upload was aborted: no data arrived for ${seconds} seconds.`,
) {}

/** The image was deleted, or its upload was considered dead. */
export class UploadLostError extends DomainError {
  constructor(id: string, options?: DomainErrorOptions) {
    super('gone', `Image ${id} was deleted or reset while its data was uploaded.`, options);
  }
}

export class RangeNotSatisfiableError extends errorOf(
  'range-not-satisfiable',
  (range: string, size: number) => `Range '${range}' lies outside of the image's ${size} bytes.`,
) {}
