/**
 * Templates among the files, as types of resources: their parameters are properties, and their outputs
 * attributes. Heat template guide, "Template composition".
 */
import { parameterProperties } from './properties/parameter-properties.js';
import type { PropertySchemas } from '../constraints/property-schema.js';
import { formatOf } from './formats/formats.js';
import { ownOf, type JsonObject } from '../json/json.js';
import { readParameters } from './parameters/read-parameters.js';
import { schemataOf } from './parameter-schemata.js';
import type { KeptConstraints } from './read-template.js';
import { sectionsOf } from './sections.js';
import type { TypeFact } from './type-facts.js';
import { parseMapping } from './yaml/parse-text.js';
import type { TextLimits } from './yaml/text-limits.js';

export class TemplateFacts {
  private readonly known = new Map<string, TypeFact>();

  /** @param defaults the environment's `parameter_defaults`, which a template below has too */
  constructor(
    private readonly files: Readonly<Record<string, string>>,
    private readonly defaults: JsonObject,
    private readonly limits: TextLimits,
    private readonly constraints?: KeptConstraints,
  ) {}

  /** @throws TemplateError if it is not a template */
  of(file: string): TypeFact {
    const known = this.known.get(file);
    if (known !== undefined) {
      return known;
    }
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
