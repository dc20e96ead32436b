/** All formats of templates, in all their versions. */
import { CFN_FORMATS } from '../cfn/cfn-formats.js';
import type { FunctionTable } from '../functions/template-function.js';
import { HOT_FORMATS } from '../hot/hot-formats.js';
import type { JsonObject } from '../../json/json.js';
import { InvalidTemplateVersionError } from '../template.errors.js';
import type { TemplateFormat } from './template-format.js';

export const FORMATS: readonly TemplateFormat[] = [...CFN_FORMATS, ...HOT_FORMATS];

const BY_NAME = new Map(
  FORMATS.flatMap((format) => [format.name, ...format.aliases].map((name) => [name, format])),
);
const BY_VERSION = new Map(FORMATS.map((format) => [format.version, format]));
const KEYS = [...new Set(FORMATS.map(({ versionKey }) => versionKey))];

/**
 * Heat template guide, "Heat template version".
 *
 * @throws InvalidTemplateVersionError
 */
export function formatOf(template: JsonObject): TemplateFormat {
  const present = KEYS.filter(
    (key) => Object.hasOwn(template, key) && typeof template[key] === 'string',
  );
  const [key, other] = present;
  if (key === undefined) {
    throw new InvalidTemplateVersionError('Template version was not provided');
  }
  if (other !== undefined) {
    throw new InvalidTemplateVersionError(`Ambiguous versions (${present.join(', ')})`);
  }
  const version = template[key] as string;
  const format = BY_NAME.get(`${key}.${version}`);
  if (format === undefined) {
    const known = [...BY_NAME.keys()]
      .filter((name) => name.startsWith(`${key}.`))
      .map((name) => name.slice(key.length + 1))
      .sort();
    throw new InvalidTemplateVersionError(
      `"${key}: ${version}". "${key}" should be ${known.length > 1 ? 'one of' : ''}: ${known.join(', ')}`.replace(
        ' :',
        ':',
      ),
    );
  }
  return format;
}

/** @param name `heat_template_version.newton`, as `GET /template_versions` shows it */
export function formatNamed(name: string): TemplateFormat | undefined {
  return BY_NAME.get(name);
}

/** Functions of a call's version, which no two formats share. */
export function functionsOf(version: string): FunctionTable {
  return BY_VERSION.get(version)?.functions ?? new Map();
}
