/**
 * Declared inputs and outputs of a config. Pure.
 * Public source: Heat template guide, "OS::Heat::SoftwareConfig", inputs and outputs.
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { isMap } from '../http/json-shape.js';
import { textOf } from '../json/texts.js';
import type { Json, JsonObject } from '../json/json.js';

const TYPES = ['String', 'Number', 'CommaDelimitedList', 'Json', 'Boolean'];
const COMMON = ['name', 'description', 'type'];

/** With defaults, and `replace_on_change` if true. @throws InvalidInputError naming the place */
export function inputsOf(declared: unknown): JsonObject[] {
  return each(declared, 'inputs', ['default', 'replace_on_change', 'value'], (input, path) => {
    const { replace_on_change: replaces, ...rest } = input;
    return {
      ...rest,
      ...(flagAt(`${path}.replace_on_change`, replaces) ? { replace_on_change: true } : {}),
    };
  });
}

export function outputsOf(declared: unknown): JsonObject[] {
  return each(declared, 'outputs', ['error_output'], (output, path) => ({
    ...output,
    error_output: flagAt(`${path}.error_output`, output['error_output']),
  }));
}

function each(
  declared: unknown,
  of: string,
  more: readonly string[],
  whole: (one: JsonObject, path: string) => JsonObject,
): JsonObject[] {
  if (declared === undefined || declared === null) return [];
  if (!Array.isArray(declared)) throw refusal(of, 'must be a list');
  const names = [...COMMON, ...more];
  return declared.map((one: unknown, at) => {
    const path = `${of}[${at}]`;
    if (!isMap(one)) throw refusal(path, 'must be an object');
    const unknown = Object.keys(one).find((name) => !names.includes(name));
    if (unknown !== undefined) throw refusal(path, `has no property '${unknown}'`);
    const given = Object.entries(one).filter(([name, value]) => value !== null || name === 'value');
    return whole({ ...checked(one, path), ...(Object.fromEntries(given) as JsonObject) }, path);
  });
}

function checked(one: Readonly<Record<string, unknown>>, path: string): JsonObject {
  const { name, description = '', type = 'String' } = one;
  if (typeof name !== 'string' || name === '') throw refusal(`${path}.name`, 'must be a text');
  if (typeof (description ?? '') !== 'string')
    throw refusal(`${path}.description`, 'must be a text');
  if (!TYPES.includes((type ?? 'String') as string))
    throw refusal(`${path}.type`, `must be one of ${TYPES.join(', ')}`);
  return { name, type: 'String' };
}

function flagAt(path: string, value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  const word = textOf(value).toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  throw refusal(path, 'must be true or false');
}

function refusal(path: string, must: string): InvalidInputError {
  return new InvalidInputError(`Invalid input: ${path} ${must}.`);
}
