/** The body of a create request. Public source: Image API reference, "Create image". */
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { checkAttribute, checkProperties } from './attribute-check.js';
import {
  attributeOf,
  columnOf,
  isBaseAttribute,
  isReserved,
  type COLUMNS,
} from './image.attributes.js';
import type { Image, ImageId } from './image.entity.js';
import { ReadOnlyAttributeError, ReservedAttributeError } from './image.errors.js';

type Attributes = Pick<Image, (typeof COLUMNS)[keyof typeof COLUMNS]>;

export interface NewImage extends Omit<Attributes, 'owner'> {
  readonly id: ImageId | undefined;
  readonly owner?: ProjectId | null;
  readonly properties: Record<string, string>;
}

const DEFAULTS: Omit<Attributes, 'owner'> = {
  name: null,
  visibility: 'shared',
  protected: false,
  hidden: false,
  diskFormat: null,
  containerFormat: null,
  minDisk: 0,
  minRam: 0,
  tags: [],
};

/**
 * Custom properties are siblings of the attributes, so the table of attributes checks the body
 * instead of a DTO class.
 * @throws InvalidInputError naming the invalid field
 * @throws ReadOnlyAttributeError or ReservedAttributeError
 * @throws TooManyTagsError, or DomainError of kind `too-large` for properties
 */
export function newImageOf(body: unknown): NewImage {
  if (!isRecord(body)) throw new InvalidInputError('Invalid input: the body must be an object.');
  for (const [name, value] of Object.entries(body)) checkField(name, value);
  const { id, ...given } = body;
  if (given['owner'] === '') throw new InvalidInputError('Invalid input: owner must be a project.');
  const attributes = Object.entries(given).filter(([name]) => isBaseAttribute(name));
  return {
    ...DEFAULTS,
    ...Object.fromEntries(attributes.map(([name, value]) => columnOf(name, value))),
    id: typeof id === 'string' ? asId(id.toLowerCase()) : undefined,
    properties: customProperties(given),
  };
}

function checkField(name: string, value: unknown): void {
  if (isReserved(name)) throw new ReservedAttributeError(name);
  if (attributeOf(name)?.readOnly) throw new ReadOnlyAttributeError(name);
  checkAttribute(name, value);
}

/** A null property, such as kernel_id, counts as unset. */
function customProperties(body: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(body).filter(
    (entry): entry is [string, string] => !isBaseAttribute(entry[0]) && entry[1] !== null,
  );
  const properties = Object.fromEntries(entries);
  checkProperties(properties);
  return properties;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
