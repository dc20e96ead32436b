/** What can go wrong with an import, beside what can with any data. */
import { DomainError } from '@cumulet/common/errors/domain-error';

/** A method that nobody knows, or that is not offered here, as copy-image and glance-download. */
export class ImportMethodUnsupportedError extends DomainError {
  constructor(name: string, enabled: readonly string[]) {
    super(
      'invalid',
      `Import method '${name}' is not supported; it must be ${enabled.join(' or ')}.`,
    );
  }
}

export class ImportUriMissingError extends DomainError {
  constructor() {
    super('invalid', `Import method 'web-download' needs a uri in 'method'.`);
  }
}

/** The image is not in the state in which the method finds its data. */
export class ImportStateError extends DomainError {
  constructor(id: string, method: string, status: string, needed: string) {
    super(
      'conflict',
      `Image ${id} cannot be imported by ${method} while its status is '${status}': ${needed}.`,
    );
  }
}

export class StoresContradictoryError extends DomainError {
  constructor() {
    super(
      'invalid',
      `Only one of stores, all_stores and the header X-Image-Meta-Store can be used.`,
    );
  }
}

export class StoreUnknownError extends DomainError {
  constructor(store: string) {
    super('conflict', `There is no store '${store}'.`);
  }
}

/** What was staged is not there any more as it was. */
export class StagedDataDamagedError extends DomainError {
  constructor(id: string, cause?: unknown) {
    super('conflict', `The data that was staged for image ${id} is damaged.`, { cause });
  }
}

export class DownloadSizeMismatchError extends DomainError {
  constructor(announced: number, received: number) {
    super('invalid', `The server announced ${announced} bytes and sent ${received}.`);
  }
}

export class ConversionFailedError extends DomainError {
  constructor(from: string, to: string, reason: string, cause?: unknown) {
    super('invalid', `The image could not be converted from ${from} to ${to}: ${reason}.`, {
      cause,
    });
  }
}

/** Whoever starts the service gets to read it. */
export class ConverterMissingError extends DomainError {
  constructor() {
    super(
      'unavailable',
      'Images cannot be converted: qemu-img is not installed (Debian, Ubuntu: apt-get install qemu-utils).',
    );
  }
}

/** Somebody else on the machine could change what is converted; whoever starts the service reads it. */
export class ImportFolderUnsafeError extends DomainError {
  constructor(folder: string) {
    super(
      'unavailable',
      `The folder of imports, ${folder}, must be a folder of this user or root that no other may write to.`,
    );
  }
}
