/** What can be wrong with a change to an image. */
import { DomainError } from '@cumulet/common/errors/domain-error';
import { shown } from '../attribute-check.js';

export class PatchMediaTypeError extends DomainError {
  constructor(allowed: readonly string[]) {
    super(
      'unsupported-media-type',
      `Content-Type of a change to an image must be one of ${allowed.join(', ')}.`,
    );
  }
}

/** Images have no locations that a client could set. */
export class LocationsForbiddenError extends DomainError {
  constructor() {
    super('forbidden', `'locations' cannot be changed: an image's data is uploaded or imported.`);
  }
}

export class OwnerChangeForbiddenError extends DomainError {
  constructor() {
    super('forbidden', 'Giving an image to another project needs the role admin.');
  }
}

/** What the data is stays as it was said to be when it came. */
export class FormatFixedError extends DomainError {
  constructor(name: string) {
    super('forbidden', `Attribute '${name}' can only be replaced while the image is queued.`);
  }
}

export class AttributeRemovalForbiddenError extends DomainError {
  constructor(name: string) {
    super('forbidden', `Attribute '${name}' cannot be removed.`);
  }
}

export class PropertyExistsError extends DomainError {
  constructor(name: string) {
    super('conflict', `Property '${shown(name)}' is there already.`);
  }
}

export class PropertyMissingError extends DomainError {
  constructor(name: string) {
    super('conflict', `Property '${shown(name)}' does not exist.`);
  }
}
