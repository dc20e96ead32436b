/** Checks values against the attributes. A fault completes the sentence `<name> must …`. */
import { characterCount, isStorable } from '@cumulet/common/database/storable';
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import {
  attributeOf,
  MAX_PROPERTIES,
  MAX_PROPERTY_BYTES,
  MAX_TAGS,
  type ImageAttribute,
} from './image.attributes.js';
import { TooManyTagsError } from './image.errors.js';

const MAX_NAME_LENGTH = 255;
const MAX_VALUE_LENGTH = 65_535;

/** @throws InvalidInputError or TooManyTagsError if the attribute may not have this value */
export function checkAttribute(name: string, value: unknown): void {
  if (name === 'tags' && Array.isArray(value) && new Set(value).size > MAX_TAGS) {
    throw new TooManyTagsError();
  }
  const fault = attributeFault(name, value);
  if (fault !== undefined) throw new InvalidInputError(`Invalid input: ${shown(name)} ${fault}.`);
}

export function shown(name: string): string {
  return name.length > 255 ? `${name.slice(0, 255)}…` : name;
}

/** @returns `must be …`, or undefined for a valid value */
export function attributeFault(name: string, value: unknown): string | undefined {
  const attribute = attributeOf(name);
  return attribute ? faultOf(attribute, value) : propertyFault(name, value);
}

function faultOf(attribute: ImageAttribute, value: unknown): string | undefined {
  if (value === null && mayBe(attribute, 'null')) return undefined;
  if (attribute.enum) {
    const allowed = attribute.enum.filter((one) => one !== null);
    return allowed.includes(value as string) ? undefined : `must be one of ${allowed.join(', ')}`;
  }
  if (mayBe(attribute, 'string')) return textFault(attribute, value);
  if (mayBe(attribute, 'integer')) return integerFault(attribute, value);
  if (mayBe(attribute, 'boolean')) {
    return typeof value === 'boolean' ? undefined : 'must be true or false';
  }
  return listFault(attribute, value);
}

function mayBe(attribute: ImageAttribute, type: string): boolean {
  return [attribute.type].flat().includes(type as never);
}

function textFault({ maxLength, pattern }: ImageAttribute, value: unknown): string | undefined {
  const max = maxLength ?? MAX_VALUE_LENGTH;
  if (typeof value !== 'string' || characterCount(value) > max) {
    return `must be a string of at most ${max} characters`;
  }
  if (pattern !== undefined && !new RegExp(pattern).test(value)) return 'must be a UUID';
  return isStorable(value)
    ? undefined
    : 'must contain neither a null character nor half a surrogate pair';
}

function integerFault(
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: ImageAttribute,
  value: unknown,
): string | undefined {
  const right = Number.isInteger(value) && minimum <= Number(value) && Number(value) <= maximum;
  return right ? undefined : `must be an integer from ${minimum} to ${maximum}`;
}

function listFault({ items, maxItems = 0 }: ImageAttribute, value: unknown): string | undefined {
  const max = items?.maxLength ?? 0;
  const right =
    Array.isArray(value) &&
    new Set(value).size <= maxItems &&
    value.every(
      (one) =>
        typeof one === 'string' && one !== '' && characterCount(one) <= max && isStorable(one),
    );
  return right
    ? undefined
    : `must be a list of at most ${maxItems} strings of 1 to ${max} characters`;
}

function propertyFault(name: string, value: unknown): string | undefined {
  if (name === '' || characterCount(name) > MAX_NAME_LENGTH || !isStorable(name)) {
    return `must have a name of 1 to ${MAX_NAME_LENGTH} characters`;
  }
  return textFault({ type: 'string', description: '' }, value);
}

type Properties = Readonly<Record<string, string>>;

/**
 * Limits custom properties, since lists carry them whole.
 * @param before the current properties: an image may always shrink, even from beyond the limit
 * @throws DomainError of kind `too-large`
 */
export function checkProperties(properties: Properties, before: Properties = {}): void {
  const count = Object.keys(properties).length;
  if (count > MAX_PROPERTIES && count > Object.keys(before).length) {
    throw new DomainError(
      'too-large',
      `An image may have ${MAX_PROPERTIES} custom properties; this one has ${count}.`,
    );
  }
  const bytes = bytesOf(properties);
  if (bytes > MAX_PROPERTY_BYTES && bytes > bytesOf(before)) {
    throw new DomainError(
      'too-large',
      `The custom properties of an image may have ${MAX_PROPERTY_BYTES} bytes together; these have ${bytes}.`,
    );
  }
}

function bytesOf(properties: Properties): number {
  return Object.entries(properties)
    .flat()
    .reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}
