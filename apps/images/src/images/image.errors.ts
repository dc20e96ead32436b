/**
 * The errors of images and their data that are thrown in several places, or that a catch tells
 * apart.
 */
import {
  DomainError,
  ForbiddenError,
  type DomainErrorOptions,
} from '@cumulet/common/errors/domain-error';
import { MAX_TAGS } from './image.attributes.js';

export class ImageNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `No image found with ID ${id}.`);
  }
}

/** The body names an attribute that only the service sets. */
export class ReadOnlyAttributeError extends DomainError {
  constructor(name: string) {
    super('forbidden', `Attribute '${name}' is read-only.`);
  }
}

export class ReservedAttributeError extends DomainError {
  constructor(name: string) {
    super('forbidden', `Attribute '${name}' is reserved.`);
  }
}

export function publicImageForbidden(): ForbiddenError {
  return new ForbiddenError("Making an image public (visibility 'public') needs the role admin.");
}

export class TooManyTagsError extends DomainError {
  constructor() {
    super('too-large', `An image may have ${MAX_TAGS} tags; this is more.`);
  }
}

export class ImageTooLargeError extends DomainError {
  constructor(limit: number) {
    super('too-large', `The data of an image may have ${limit} bytes; this is more.`);
  }
}

/** More or fewer bytes came than were announced. */
export class UploadSizeMismatchError extends DomainError {
  constructor(announced: number, received: number) {
    super('invalid', `The upload announced ${announced} bytes and sent ${received}.`);
  }
}

export class UploadStalledError extends DomainError {
  constructor(seconds: number) {
    super('invalid', `The upload was ended: no data came for ${seconds} seconds.`);
  }
}

/** While the data came, the image was deleted or its upload was taken for dead. */
export class UploadLostError extends DomainError {
  constructor(id: string, options?: DomainErrorOptions) {
    super('gone', `Image ${id} was deleted or reset while its data was uploaded.`, options);
  }
}

export class RangeNotSatisfiableError extends DomainError {
  constructor(range: string, size: number) {
    super('range-not-satisfiable', `Range '${range}' lies outside of the image's ${size} bytes.`);
  }
}
