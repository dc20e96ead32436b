/** The closed catalogue of what can go wrong with an image and its data. */
import { DomainError, type DomainErrorOptions } from '@cumulet/common/errors/domain-error';

export class ImageNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `No image found with ID ${id}.`);
  }
}

export class ImageExistsError extends DomainError {
  constructor(id: string) {
    super('conflict', `An image with ID ${id} exists already.`);
  }
}

/** A name of the body that only the service sets. */
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

export class TooManyPropertiesError extends DomainError {
  constructor(count: number, limit: number) {
    super('too-large', `An image may have ${limit} custom properties; this one has ${count}.`);
  }
}

/** The names and values of all custom properties together. */
export class PropertiesTooLongError extends DomainError {
  constructor(bytes: number, limit: number) {
    super(
      'too-large',
      `The custom properties of an image may have ${limit} bytes together; these have ${bytes}.`,
    );
  }
}

/** More tags than an image may have. */
export class TooManyTagsError extends DomainError {
  constructor(limit: number) {
    super('too-large', `An image may have ${limit} tags; this is more.`);
  }
}

export class TagNotFoundError extends DomainError {
  constructor(tag: string, id: string) {
    super('not-found', `Image ${id} has no tag '${tag}'.`);
  }
}

export class PublicImageForbiddenError extends DomainError {
  constructor() {
    super('forbidden', "Making an image public (visibility 'public') needs the role admin.");
  }
}

export class ForeignOwnerForbiddenError extends DomainError {
  constructor(owner: string) {
    super('forbidden', `Registering an image for the project '${owner}' needs the role admin.`);
  }
}

/** The image is visible to the caller, but belongs to another project. */
export class NotOwnerError extends DomainError {
  constructor(operation: string, id: string) {
    super('forbidden', `Only the project that owns image ${id} may ${operation} it.`);
  }
}

export class ImageProtectedError extends DomainError {
  constructor(id: string) {
    super('forbidden', `Image ${id} is protected and cannot be deleted.`);
  }
}

/** Only what is shared has members. */
export class ImageNotSharedError extends DomainError {
  constructor(id: string, visibility: string) {
    super('forbidden', `Only shared images have members; image ${id} is ${visibility}.`);
  }
}

export class TooManyMembersError extends DomainError {
  constructor(id: string, limit: number) {
    super('too-large', `Image ${id} is shared with ${limit} projects, which is the most.`);
  }
}

/** An action that only makes sense for an image in another state. */
export class ImageActionForbiddenError extends DomainError {
  constructor(action: string, id: string, status: string) {
    super('forbidden', `Cannot ${action} image ${id} while its status is '${status}'.`);
  }
}

export class ImageDeactivatedError extends DomainError {
  constructor(id: string) {
    super('forbidden', `Image ${id} is deactivated: only an administrator may read its data.`);
  }
}

/** Its stored bytes are no longer those that were uploaded. */
export class ImageDamagedError extends DomainError {
  constructor(id: string) {
    super('conflict', `The data of image ${id} is damaged and is not given out.`);
  }
}

export class ImageFormatMissingError extends DomainError {
  constructor(id: string, missing: readonly string[]) {
    super('invalid', `Image ${id} takes no data before these are set: ${missing.join(', ')}.`);
  }
}

export class UploadMediaTypeError extends DomainError {
  constructor(type: string | undefined) {
    const given = type === undefined ? 'none is given' : `'${type}' is not`;
    super('unsupported-media-type', `Content-Type must be application/octet-stream; ${given}.`);
  }
}

export class ImageTooLargeError extends DomainError {
  constructor(limit: number) {
    super('too-large', `The data of an image may have ${limit} bytes; this is more.`);
  }
}

/** What came is not what the image says that it is, or not safe to open. */
export class ImageDataRefusedError extends DomainError {
  constructor(reason: string) {
    super('unsupported-media-type', reason);
  }
}

/** The bytes that came are not as many as were announced. */
export class UploadSizeMismatchError extends DomainError {
  constructor(announced: number, received: number) {
    super('invalid', `The upload announced ${announced} bytes and sent ${received}.`);
  }
}

/** More comes than was announced, which is all that was admitted. */
export class UploadTooLongError extends DomainError {
  constructor(announced: number) {
    super('invalid', `The upload announced ${announced} bytes and goes on after them.`);
  }
}

export class UploadBrokenOffError extends DomainError {
  constructor(cause: unknown) {
    super('invalid', 'The upload broke off before its end.', { cause });
  }
}

export class UploadStalledError extends DomainError {
  constructor(seconds: number) {
    super('invalid', `The upload was ended: no data came for ${seconds} seconds.`);
  }
}

/** The image was deleted, or its upload given up for dead, while the data came. */
export class UploadLostError extends DomainError {
  constructor(id: string, options?: DomainErrorOptions) {
    super('gone', `Image ${id} was deleted or reset while its data was uploaded.`, options);
  }
}

/** The process that received the data has died. */
export class UploadAbandonedError extends DomainError {
  constructor() {
    super('gone', 'The upload ended without having brought all data.');
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

/** The store cannot be used at all; only whoever starts the service gets to read it. */
export class StoreUnusableError extends DomainError {
  constructor(store: string, cause: Error) {
    super('unavailable', `The image store ${store} cannot be used: ${cause.message}`, { cause });
  }
}

/** The row says that the data is there, and the store has none: damage, and never the caller's. */
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

/** It may be the place where the right store is not mounted; only whoever starts the service reads it. */
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
