/** A template's top-level sections, independent of its format. */
import { stringifyExact } from '../json/exact-json.js';
import { isList, isMap, kindOf, ownOf, type Json, type JsonObject } from '../json/json.js';
import { textOf } from '../json/texts.js';
import type { SectionKeys, TemplateFormat } from './formats/template-format.js';
import type { Reader } from './functions/template-function.js';
import type { OutputDefinition } from './read-template.js';
import { asksOf, referencesOf, type PlacedReference } from './references-of.js';
import { InvalidTemplateSectionError, StackValidationFailedError } from './template.errors.js';

export interface Sections {
  readonly description: string;
  /** As in the template; null if it is missing. */
  readonly parameters: Json;
  readonly parameterGroups: Json;
  readonly mappings: JsonObject;
  readonly conditions: JsonObject;
  readonly resources: JsonObject;
  readonly outputs: JsonObject;
}

/** @throws InvalidTemplateSectionError for an unknown key, StackValidationFailedError */
export function sectionsOf(template: JsonObject, format: TemplateFormat): Sections {
  const { sections, versionKey } = format;
  const known = new Set<string>([versionKey, ...(Object.values(sections) as string[])]);
  const unknown = Object.keys(template).find((key) => !known.has(key));
  if (unknown !== undefined) throw new InvalidTemplateSectionError(unknown);
  const valueOf = (key: keyof SectionKeys): Json => {
    const name = sections[key];
    return name === undefined ? null : (ownOf(template, name) ?? null);
  };
  const mapOf = (key: keyof SectionKeys): JsonObject => mapIn(valueOf(key), sections[key] ?? key);
  return {
    description: descriptionOf(valueOf('description'), sections.description),
    parameters: valueOf('parameters'),
    parameterGroups: valueOf('parameterGroups'),
    mappings: mapOf('mappings'),
    conditions: mapOf('conditions'),
    resources: mapOf('resources'),
    outputs: mapOf('outputs'),
  };
}

/** A section without entries is null in YAML. */
function mapIn(value: Json, name: string): JsonObject {
  if (value === null) return {};
  if (!isMap(value))
    throw new StackValidationFailedError(
      `"${name}" must contain a map, not ${kindOf(value)}`,
      name,
    );
  return value;
}

function descriptionOf(value: Json, path: string): string {
  if (value === null || value === '') return 'No description';
  if (isMap(value) || isList(value))
    throw new StackValidationFailedError(`A description is a text, not ${kindOf(value)}`, path);
  return textOf(value);
}

/**
 * Heat template guide, "Parameter groups section".
 *
 * @param names of the template's parameters
 * @throws StackValidationFailedError for an unknown parameter, or one in two groups
 */
export function readParameterGroups(
  section: Json,
  names: ReadonlySet<string>,
): readonly JsonObject[] {
  if (section === null) return [];
  if (!isList(section))
    throw wrongGroup('The parameter_groups should be a list.', 'parameter_groups');
  const grouped = new Set<string>();
  return section.map((group, index) => {
    const path = `parameter_groups[${index}]`;
    if (!isMap(group)) throw wrongGroup('A parameter group should be a map.', path);
    for (const name of namesIn(group, path)) {
      if (grouped.has(name))
        throw wrongGroup(
          `The ${name} parameter must be assigned to one parameter group only.`,
          path,
        );
      if (!names.has(name))
        throw wrongGroup(
          `The grouped parameter ${name} does not reference a valid parameter.`,
          path,
        );
      grouped.add(name);
    }
    return group;
  });
}

function namesIn({ parameters = null }: JsonObject, path: string): readonly string[] {
  if (parameters === null)
    throw wrongGroup('The parameters must be provided for each parameter group.', path);
  if (!isList(parameters) || !parameters.every((name) => typeof name === 'string'))
    throw wrongGroup('The parameters of parameter group should be a list.', path);
  return parameters;
}

function wrongGroup(text: string, path: string): StackValidationFailedError {
  return new StackValidationFailedError(text, path, 'Parameter Groups error');
}

export interface OutputSnippet {
  readonly definition: OutputDefinition;
  readonly references: readonly PlacedReference[];
}

/**
 * The section of outputs, in which one whose condition does not hold is null. Heat template guide,
 * "Outputs section".
 *
 * @throws TemplateError naming the path of the fault
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
  if (!isMap(value))
    throw wrongOutput(`Output definitions must be a map. Found ${kindOf(value)} instead`, path);
  const { ignored = [], ...named } = keys;
  const known: readonly string[] = [...Object.values<string>(named), ...ignored];
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw wrongOutput(`"${unknown}" is not a valid keyword inside a output definition`, path);
  const given = ownOf(value, keys.value);
  if (given === undefined)
    throw wrongOutput(`Each output definition must contain a ${keys.value} key.`, path);
  const condition = keys.condition === undefined ? undefined : ownOf(value, keys.condition);
  const isEnabled =
    condition === undefined || reader.holds(condition, `${path}.${keys.condition ?? ''}`);
  const read = reader.reduce(isEnabled ? given : null, `${path}.${keys.value}`);
  const references = referencesOf(read);
  const description = outputDescription(ownOf(value, keys.description) ?? null);
  return { definition: { description, value: read, asks: asksOf(references) }, references };
}

function outputDescription(value: Json): string {
  if (value === null) return 'No description given';
  return typeof value === 'string' ? value : stringifyExact(value);
}

function wrongOutput(text: string, path: string): StackValidationFailedError {
  return new StackValidationFailedError(text, path, 'Output validation error');
}
