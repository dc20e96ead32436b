/** What can go wrong with an import, beside what can with any data. */
import { DomainError } from '@cumulet/common/errors/domain-error';

export class ImportUriMissingError extends DomainError {
  constructor() {
    super('invalid', `Import method 'web-download' needs a uri in 'method'.`);
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
