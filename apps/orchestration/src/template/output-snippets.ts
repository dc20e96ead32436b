/** The section of outputs. Heat template guide, "Outputs section". */
import { stringifyExact } from '../json/exact-json.js';
import type { TemplateFormat } from './formats/template-format.js';
import type { Reader } from './functions/template-function.js';
import { isMap, kindOf, ownOf, type Json, type JsonObject } from '../json/json.js';
import type { OutputDefinition } from './read-template.js';
import { asksOf, referencesOf, type PlacedReference } from './references-of.js';
import { StackValidationFailedError } from './template.errors.js';

export interface OutputSnippet {
  readonly definition: OutputDefinition;
  readonly references: readonly PlacedReference[];
}

/**
 * One whose condition does not hold is null.
 *
 * @throws TemplateError naming the path of what is wrong
 */
export function readOutputs(
  section: JsonObject,
  format: TemplateFormat,
  reader: Reader,
): ReadonlyMap<string, OutputSnippet> {
  return new Map(
    Object.entries(section).map(([name, value]) => [
      name,
      readOutput(value, `${format.sections.outputs}.${name}`, format, reader),
    ]),
  );
}

function readOutput(
  value: Json,
  path: string,
  { output: keys }: TemplateFormat,
  reader: Reader,
): OutputSnippet {
  if (!isMap(value)) {
    throw wrong(`Output definitions must be a map. Found ${kindOf(value)} instead`, path);
  }
  const { ignored = [], ...named } = keys;
  const known: readonly string[] = [...Object.values<string>(named), ...ignored];
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw wrong(`"${unknown}" is not a valid keyword inside a output definition`, path);
  }
  const given = ownOf(value, keys.value);
  if (given === undefined) {
    throw wrong(`Each output definition must contain a ${keys.value} key.`, path);
  }
  const condition = keys.condition === undefined ? undefined : ownOf(value, keys.condition);
  const isEnabled =
    condition === undefined || reader.holds(condition, `${path}.${keys.condition ?? ''}`);
  const read = reader.reduce(isEnabled ? given : null, `${path}.${keys.value}`);
  const references = referencesOf(read);
  const description = descriptionOf(ownOf(value, keys.description) ?? null);
  return { definition: { description, value: read, asks: asksOf(references) }, references };
}

function descriptionOf(value: Json): string {
  if (value === null) {
    return 'No description given';
  }
  return typeof value === 'string' ? value : stringifyExact(value);
}

function wrong(text: string, path: string): StackValidationFailedError {
  return new StackValidationFailedError(text, path, 'Output validation error');
}
