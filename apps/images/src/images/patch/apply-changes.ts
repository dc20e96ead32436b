/**
 * What a list of changes makes of an image. Pure: either all of them can be made, or it throws.
 * Public source: Image API reference, "Update image".
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { checkProperties } from '../attribute-check.js';
import { isBaseAttribute } from '../image.attributes.js';
import { Image } from '../image.entity.js';
import { PublicImageForbiddenError } from '../image.errors.js';
import {
  AttributeRemovalForbiddenError,
  FormatFixedError,
  OwnerChangeForbiddenError,
  PropertyExistsError,
  PropertyMissingError,
} from './patch.errors.js';
import type { Change } from './patch-request.js';

export interface Caller {
  readonly isAdmin: boolean;
}

/** The attributes that can be replaced, by the names that rows have for them. */
const COLUMNS = {
  name: 'name',
  owner: 'owner',
  visibility: 'visibility',
  protected: 'protected',
  os_hidden: 'hidden',
  disk_format: 'diskFormat',
  container_format: 'containerFormat',
  min_disk: 'minDisk',
  min_ram: 'minRam',
  tags: 'tags',
} as const satisfies Readonly<Record<string, keyof Image>>;

/**
 * @throws the errors of `patch.errors.ts`, PublicImageForbiddenError, TooManyPropertiesError,
 * PropertiesTooLongError
 */
export function applyChanges(caller: Caller, image: Image, changes: readonly Change[]): Image {
  const attributes: Partial<Record<keyof Image, unknown>> = {};
  // A map, in which a property may have any name.
  const changed = new Map(Object.entries(image.properties));
  for (const change of changes) {
    if (isBaseAttribute(change.name)) {
      requireReplaceable(caller, image, change);
      attributes[columnOf(change.name)] = stored(change);
    } else {
      changeProperty(changed, change);
    }
  }
  const properties = Object.fromEntries(changed);
  checkProperties(properties, image.properties);
  return Object.assign(new Image(), image, attributes, { properties });
}

function requireReplaceable(caller: Caller, image: Image, change: Change): void {
  const { operation, name, value, addsOnlyNew } = change;
  if (operation === 'remove') throw new AttributeRemovalForbiddenError(name);
  if (operation === 'add' && addsOnlyNew) throw new PropertyExistsError(name);
  switch (name) {
    case 'owner':
      if (!caller.isAdmin) throw new OwnerChangeForbiddenError();
      if (value === null || value === '') {
        throw new InvalidInputError('Invalid input: owner must be a project.');
      }
      return;
    case 'visibility':
      if (value === 'public' && !caller.isAdmin) throw new PublicImageForbiddenError();
      return;
    case 'disk_format':
    case 'container_format':
      if (image.state !== 'queued') throw new FormatFixedError(name);
      return;
    default:
  }
}

function columnOf(name: string): keyof Image {
  return COLUMNS[name as keyof typeof COLUMNS];
}

/** A tag that is given twice is one. */
function stored({ name, value }: Change): unknown {
  return name === 'tags' ? [...new Set(value as string[])] : value;
}

/** A known property that is null, as kernel_id may be, is one that is not set. */
function changeProperty(properties: Map<string, string>, change: Change): void {
  const { operation, name, value, addsOnlyNew } = change;
  const isThere = properties.has(name);
  if (operation === 'add' && addsOnlyNew && isThere) throw new PropertyExistsError(name);
  if (operation !== 'add' && !isThere) throw new PropertyMissingError(name);
  if (operation === 'remove' || value === null) properties.delete(name);
  else properties.set(name, value as string);
}
