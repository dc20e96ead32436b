import type { TemplateFormat } from './formats/template-format.js';
import type { Json } from '../json/json.js';
import { cfnParameterSchemata } from './parameters/cfn-parameters.js';
import { hotParameterSchemata } from './parameters/hot-parameters.js';
import type { ParameterSchema } from './parameters/parameter-schema.js';
import type { KeptConstraints } from './read-template.js';

/** What a template's section of parameters declares. @throws InvalidSchemaError */
export function schemataOf(
  section: Json,
  { kind, version }: TemplateFormat,
  kept?: KeptConstraints,
): readonly ParameterSchema[] {
  return kind === 'hot'
    ? hotParameterSchemata(section, version, kept)
    : cfnParameterSchemata(section, kept);
}
