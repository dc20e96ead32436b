/** A template's parts at the top, whatever its format calls them. */
import type { SectionKeys, TemplateFormat } from './formats/template-format.js';
import { textOf } from '../json/texts.js';
import { isList, isMap, kindOf, ownOf, type Json, type JsonObject } from '../json/json.js';
import { InvalidTemplateSectionError, StackValidationFailedError } from './template.errors.js';

export interface Sections {
  readonly description: string;
  /** As it stands; null if it is not there. */
  readonly parameters: Json;
  readonly parameterGroups: Json;
  readonly mappings: JsonObject;
  readonly conditions: JsonObject;
  readonly resources: JsonObject;
  readonly outputs: JsonObject;
}

/**
 * @throws InvalidTemplateSectionError naming a key that the format does not have
 * @throws StackValidationFailedError for a section that is no map
 */
export function sectionsOf(template: JsonObject, format: TemplateFormat): Sections {
  const { sections, versionKey } = format;
  const known = new Set<string>([versionKey, ...(Object.values(sections) as string[])]);
  const unknown = Object.keys(template).find((key) => !known.has(key));
  if (unknown !== undefined) {
    throw new InvalidTemplateSectionError(unknown);
  }
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

/** A section without entries may be empty in YAML. */
function mapIn(value: Json, name: string): JsonObject {
  if (value === null) {
    return {};
  }
  if (!isMap(value)) {
    throw new StackValidationFailedError(
      `"${name}" must contain a map, not ${kindOf(value)}`,
      name,
    );
  }
  return value;
}

function descriptionOf(value: Json, path: string): string {
  if (value === null || value === '') {
    return 'No description';
  }
  if (isMap(value) || isList(value)) {
    throw new StackValidationFailedError(`A description is a text, not ${kindOf(value)}`, path);
  }
  return textOf(value);
}
