/** What `abandon` has given, as a client sends it to be adopted. Pure. */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { AbandonedStack } from '../engine/stack-commands.js';
import { isMap } from '../http/json-shape.js';
import { parseExact } from '../json/exact-json.js';
import type { JsonObject } from '../json/json.js';

export interface AdoptedData {
  readonly template: Record<string, unknown>;
  readonly environment: Record<string, unknown>;
  readonly files: Record<string, string>;
  readonly data: AbandonedStack;
}

/** @throws InvalidInputError for what is no such data, or has no template */
export function adoptedData(given: string | Readonly<Record<string, unknown>>): AdoptedData {
  const data = typeof given === 'string' ? parsed(given) : given;
  if (!isMap(data)) throw new InvalidInputError('Invalid adopt data: it must be an object.');
  const { template, resources = {}, environment = {}, files = {} } = data;
  if (!isMap(template)) throw new InvalidInputError('Invalid adopt data: it has no template.');
  if (!isMap(resources))
    throw new InvalidInputError('Invalid adopt data: its resources must be an object.');
  if (!isMap(environment))
    throw new InvalidInputError('Invalid adopt data: its environment must be an object.');
  if (!isMap(files) || !hasTexts(files))
    throw new InvalidInputError('Invalid adopt data: its files must be an object of texts.');
  return { template, environment, files, data: data as JsonObject };
}

function hasTexts(
  files: Readonly<Record<string, unknown>>,
): files is Readonly<Record<string, string>> {
  return Object.values(files).every((text) => typeof text === 'string');
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch (error) {
    throw new InvalidInputError(`Invalid adopt data: ${(error as Error).message}`);
  }
}
