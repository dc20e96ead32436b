/**
 * The types of the parameters that environments give values for: of the template, and of the templates
 * among its files. Read when the first is asked for.
 */
import { formatOf } from './formats/formats.js';
import type { TypeOfParameter } from './environment/merge-parameters.js';
import type { ParameterSchema } from './parameters/parameter-schema.js';
import { schemataOf } from './parameter-schemata.js';
import { sectionsOf } from './sections.js';
import { TemplateError } from './template.errors.js';
import { parseMapping } from './yaml/parse-text.js';
import type { TextLimits } from './yaml/text-limits.js';

/** What every template has in it, and most other files do not. */
const VERSION = /heat_template_version|HeatTemplateFormatVersion|AWSTemplateFormatVersion/;

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

/** None of a file that is no template. */
function schemataIn(text: string, limits: TextLimits): readonly ParameterSchema[] {
  if (!VERSION.test(text)) {
    return [];
  }
  try {
    const template = parseMapping(text, limits, 'file');
    const format = formatOf(template);
    return schemataOf(sectionsOf(template, format).parameters, format, 'none');
  } catch (error) {
    if (error instanceof TemplateError) {
      return [];
    }
    throw error;
  }
}
