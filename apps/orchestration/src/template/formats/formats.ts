import type { JsonObject } from '../../json/json.js';
import type { FunctionTable } from '../functions/template-function.js';
import { InvalidTemplateVersionError } from '../template.errors.js';
import { CFN_FORMATS } from './cfn-formats.js';
import { HOT_FORMATS } from './hot-formats.js';
import type { TemplateFormat } from './template-format.js';

export const FORMATS: readonly TemplateFormat[] = [...CFN_FORMATS, ...HOT_FORMATS];

const BY_NAME = new Map(
  FORMATS.flatMap((format) => [format.name, ...format.aliases].map((name) => [name, format])),
);
const BY_VERSION = new Map(FORMATS.map((format) => [format.version, format]));
const KEYS = [...new Set(FORMATS.map(({ versionKey }) => versionKey))];

/** Heat template guide, "Heat template version". @throws InvalidTemplateVersionError */
export function formatOf(template: JsonObject): TemplateFormat {
  const present = KEYS.filter(
    (key) => Object.hasOwn(template, key) && typeof template[key] === 'string',
  );
  const [key, other] = present;
  if (key === undefined) throw new InvalidTemplateVersionError('Template version was not provided');
  if (other !== undefined)
    throw new InvalidTemplateVersionError(`Ambiguous versions (${present.join(', ')})`);
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

/** The functions of a version, which is unique among all formats. */
export function functionsOf(version: string): FunctionTable {
  return BY_VERSION.get(version)?.functions ?? new Map();
}

export interface TemplateVersion {
  /** `heat_template_version.2016-10-14` */
  readonly version: string;
  readonly type: 'hot' | 'cfn';
  /** `heat_template_version.newton` */
  readonly aliases: readonly string[];
}

export interface ListedFunction {
  readonly functions: string;
  readonly description: string;
}

/** Public source: Orchestration API reference, "List template versions", "… functions". */
export function templateVersions(): readonly TemplateVersion[] {
  return FORMATS.map(({ name, kind, aliases }) => ({ version: name, type: kind, aliases }));
}

/** @param version or an alias. @returns undefined for an unknown one */
export function templateFunctions(
  version: string,
  withConditions: boolean,
): readonly ListedFunction[] | undefined {
  const format = formatNamed(version);
  if (format === undefined) return undefined;
  const conditions = withConditions ? [...format.conditionFunctions] : [];
  const all = new Map([
    ...conditions.filter(([, { isRefused }]) => !isRefused),
    ...[...format.functions].filter(([, { isRefused }]) => !isRefused),
  ]);
  return [...all]
    .map(([name, { description }]) => ({ functions: name, description }))
    .sort((one, other) => (one.functions < other.functions ? -1 : 1));
}
