import { DomainError, invalid, errorOf } from '@cumulet/common/errors/domain-error';

export class ImportUriMissingError extends invalid(
  `Import method 'web-download' needs a uri in 'method'.`,
) {}

/** The staged data is gone, or differs in size. */
export class StagedDataDamagedError extends DomainError {
  constructor(id: string, cause?: unknown) {
    super('conflict', `The data that was staged for image ${id} is damaged.`, { cause });
  }
}

export class DownloadSizeMismatchError extends invalid(
  (announced: number, received: number) =>
    `The server announced ${announced} bytes and sent ${received}.`,
) {}

export class ConversionFailedError extends DomainError {
  constructor(from: string, to: string, reason: string, cause?: unknown) {
    super('invalid', `The image could not be converted from ${from} to ${to}: ${reason}.`, {
      cause,
    });
  }
}

/** Stops the service at its start. */
export class ConverterMissingError extends errorOf(
  'unavailable',
  'Images cannot be converted: qemu-img is not installed (Debian, Ubuntu: apt-get install qemu-utils).',
) {}

/** Other users could change files during a conversion. Stops the service at its start. */
export class ImportFolderUnsafeError extends errorOf(
  'unavailable',
  (folder: string) =>
    `The folder of imports, ${folder}, must be a folder of this user or root that no other may write to.`,
) {}
