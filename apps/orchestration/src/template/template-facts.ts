/**
 * Templates among the files as resource types: parameters are properties, outputs attributes. Heat
 * template guide, "Template composition".
 */
import type { PropertySchemas } from '../constraints/property-schema.js';
import { ownOf, type JsonObject } from '../json/json.js';
import type { TypeOfParameter } from './environment/read-environment.js';
import { formatOf } from './formats/formats.js';
import type { ParameterSchema } from './parameters/parameter-schema.js';
import { schemataOf } from './parameters/parameter-schemata.js';
import { readParameters } from './parameters/read-parameters.js';
import { parameterProperties } from './properties/check-definition.js';
import type { CheckedConstraints } from './read-template.js';
import { sectionsOf } from './sections.js';
import { TemplateError } from './template.errors.js';
import type { TypeFact } from './type-facts.js';
import { parseMapping } from './yaml/parse-text.js';
import type { TextLimits } from './yaml/text-budget.js';

export class TemplateFacts {
  private readonly known = new Map<string, TypeFact>();

  /** @param defaults the environment's `parameter_defaults`, which nested templates share */
  constructor(
    private readonly files: Readonly<Record<string, string>>,
    private readonly defaults: JsonObject,
    private readonly limits: TextLimits,
    private readonly constraints?: CheckedConstraints,
  ) {}

  /** @throws TemplateError if it is not a template */
  of(file: string): TypeFact {
    const known = this.known.get(file);
    if (known !== undefined) return known;
    const template = parseMapping(ownOf(this.files, file) ?? '', this.limits, `template ${file}`);
    const format = formatOf(template);
    const sections = sectionsOf(template, format);
    const schemata = schemataOf(sections.parameters, format, this.constraints);
    const { parameters } = readParameters({
      schemata,
      given: {},
      defaults: this.defaults,
      allowsMissing: true,
    });
    const properties: PropertySchemas = parameterProperties(parameters);
    const fact: TypeFact = {
      properties,
      attributes: {},
      isAttribute: (name) =>
        Object.hasOwn(sections.outputs, name) ||
        name === 'OS::stack_id' ||
        name === 'outputs' ||
        name.startsWith('resource.'),
    };
    this.known.set(file, fact);
    return fact;
  }
}

/** Occurs in every template, and in few other files. */
const VERSION = /heat_template_version|HeatTemplateFormatVersion|AWSTemplateFormatVersion/;

/** Types of parameters of the template and of those among its files, read on first use. */
export function typesOfParameters(
  own: readonly ParameterSchema[],
  files: Readonly<Record<string, string>>,
  limits: TextLimits,
): TypeOfParameter {
  let types: ReadonlyMap<string, ParameterSchema['type']> | undefined;
  return (name) => {
    types ??= new Map(
      [...Object.values(files).flatMap((text) => schemataIn(text, limits)), ...own].map(
        (schema) => [schema.name, schema.type],
      ),
    );
    return types.get(name);
  };
}

/** Empty for a file that is not a template. */
function schemataIn(text: string, limits: TextLimits): readonly ParameterSchema[] {
  if (!VERSION.test(text)) return [];
  try {
    const template = parseMapping(text, limits, 'file');
    const format = formatOf(template);
    return schemataOf(sectionsOf(template, format).parameters, format, 'none');
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}
