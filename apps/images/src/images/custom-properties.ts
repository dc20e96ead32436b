/** How much an image may carry in custom properties; every list that shows it carries it, too. */
import { MAX_PROPERTIES, MAX_PROPERTY_BYTES } from './image.attributes.js';
import { PropertiesTooLongError, TooManyPropertiesError } from './image.errors.js';

type Properties = Readonly<Record<string, string>>;

/**
 * @param before what the image had until now: it may always have less than that
 * @throws TooManyPropertiesError or PropertiesTooLongError
 */
export function checkProperties(properties: Properties, before: Properties = {}): void {
  const count = Object.keys(properties).length;
  if (count > MAX_PROPERTIES && count > Object.keys(before).length) {
    throw new TooManyPropertiesError(count, MAX_PROPERTIES);
  }
  const bytes = bytesOf(properties);
  if (bytes > MAX_PROPERTY_BYTES && bytes > bytesOf(before)) {
    throw new PropertiesTooLongError(bytes, MAX_PROPERTY_BYTES);
  }
}

function bytesOf(properties: Properties): number {
  return Object.entries(properties)
    .flat()
    .reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}
