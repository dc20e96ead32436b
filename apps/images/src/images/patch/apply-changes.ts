/**
 * Applies changes to an image: all of them, or it throws. Pure. Public source: Image API reference,
 * "Update image".
 */
import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';
import { checkProperties, shown } from '../attribute-check.js';
import { columnOf, isBaseAttribute } from '../image.attributes.js';
import type { Image } from '../image.entity.js';
import { publicImageForbidden } from '../image.errors.js';
import type { Change } from './patch-request.js';

export interface Caller {
  readonly isAdmin: boolean;
}

/**
 * @returns the new column values
 * @throws DomainError for an invalid change
 */
export function applyChanges(
  caller: Caller,
  image: Image,
  changes: readonly Change[],
): Pick<Image, 'properties'> & Partial<Image> {
  const attributes: [string, unknown][] = [];
  // A map, since a property may have any name.
  const changed = new Map(Object.entries(image.properties));
  for (const change of changes) {
    if (isBaseAttribute(change.name)) {
      requireReplaceable(caller, image, change);
      attributes.push(columnOf(change.name, change.value));
    } else {
      changeProperty(changed, change);
    }
  }
  const properties = Object.fromEntries(changed);
  checkProperties(properties, image.properties);
  return { ...Object.fromEntries(attributes), properties };
}

function requireReplaceable(caller: Caller, image: Image, change: Change): void {
  const { operation, name, value, addsOnlyNew } = change;
  if (operation === 'remove') {
    throw new ForbiddenError(`Attribute '${name}' cannot be removed.`);
  }
  if (operation === 'add' && addsOnlyNew) throw propertyExists(name);
  switch (name) {
    case 'owner':
      if (!caller.isAdmin) {
        throw new ForbiddenError('Giving an image to another project needs the role admin.');
      }
      if (value === null || value === '') {
        throw new InvalidInputError('Invalid input: owner must be a project.');
      }
      return;
    case 'visibility':
      if (value === 'public' && !caller.isAdmin) throw publicImageForbidden();
      return;
    case 'disk_format':
    case 'container_format':
      // Formats are fixed once data arrives.
      if (image.state === 'queued') return;
      throw new ForbiddenError(
        `Attribute '${name}' can only be replaced while the image is queued.`,
      );
    default:
  }
}

/** A null property, such as kernel_id, counts as unset. */
function changeProperty(properties: Map<string, string>, change: Change): void {
  const { operation, name, value, addsOnlyNew } = change;
  const isThere = properties.has(name);
  if (operation === 'add' && addsOnlyNew && isThere) throw propertyExists(name);
  if (operation !== 'add' && !isThere) {
    throw new DomainError('conflict', `Property '${shown(name)}' does not exist.`);
  }
  if (operation === 'remove' || value === null) properties.delete(name);
  else properties.set(name, value as string);
}

function propertyExists(name: string): DomainError {
  return new DomainError('conflict', `Property '${shown(name)}' exists already.`);
}
