import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { isMap } from '../http/json-shape.js';
import type { JsonObject } from '../json/json.js';

/**
 * What a signal says; without a body, nothing. What it means is its resource's type's to say: a wait
 * condition handle of Heat's reads `status`, `reason`, `id` and `data`, one of Amazon's `Status`,
 * `Reason`, `UniqueId` and `Data`, a deployment the names of its outputs.
 * @throws InvalidInputError for what is no object
 */
export function signalDetails(body: unknown): JsonObject {
  if (body === undefined || body === null) return {};
  if (isMap(body)) return body as JsonObject;
  throw new InvalidInputError('Invalid input: a signal must be an object.');
}
