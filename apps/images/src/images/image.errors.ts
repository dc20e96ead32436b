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

export class StoreFullError extends DomainError {
  constructor(cause: unknown) {
    super('too-large', 'The image store is full.', { cause, forOperator: true });
  }
}

export class StoreUnavailableError extends DomainError {
  constructor(cause: unknown) {
    super('unavailable', 'The image store cannot be used at present.', { retryAfter: 5, cause });
  }
}

/** The store cannot be used at all; only the operator who starts the service sees this. */
export class StoreUnusableError extends DomainError {
  constructor(store: string, cause: Error) {
    super('unavailable', `The image store ${store} cannot be used: ${cause.message}`, { cause });
  }
}

/**
 * The row says that the data is there, but the store has none: damage, and never the caller's
 * fault.
 */
export class DataMissingError extends DomainError {
  constructor(dataId: string, cause?: unknown) {
    super('bug', `the store has no data ${dataId}`, { cause });
  }
}

/** The store holds the data of another database's images, which a sweep would take for orphans. */
export class StoreOfAnotherDatabaseError extends DomainError {
  constructor(store: string) {
    super('bug', `The image store ${store} belongs to another database.`);
  }
}

/**
 * It may be a place where the right store is not mounted; only the operator who starts the service
 * sees this.
 */
export class StoreUnmarkedError extends DomainError {
  constructor(store: string, claimed: string | null) {
    super(
      'unavailable',
      `The image store (${store}) is empty or not mounted, but this database keeps the data of its images in ${claimed ?? 'another'}: mount that one or name it in the settings.`,
    );
  }
}

export class RangeNotSatisfiableError extends DomainError {
  constructor(range: string, size: number) {
    super('range-not-satisfiable', `Range '${range}' lies outside of the image's ${size} bytes.`);
  }
}
