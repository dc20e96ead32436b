/**
 * Versions of templates and their functions, as clients list them. Public source: Orchestration API
 * reference, "List template versions", "List template functions".
 */
import { FORMATS, formatNamed } from './formats.js';

export interface TemplateVersion {
  /** `heat_template_version.2016-10-14` */
  readonly version: string;
  readonly type: 'hot' | 'cfn';
  /** `heat_template_version.newton` */
  readonly aliases: readonly string[];
}

export interface ListedFunction {
  /** Its name. */
  readonly functions: string;
  /** One line. */
  readonly description: string;
}

export function templateVersions(): readonly TemplateVersion[] {
  return FORMATS.map(({ name, kind, aliases }) => ({ version: name, type: kind, aliases }));
}

/**
 * @param version `heat_template_version.2016-10-14`, or another name of it
 * @param withConditions whether functions are listed that only conditions are made of
 * @returns undefined for a version that there is not
 */
export function templateFunctions(
  version: string,
  withConditions: boolean,
): readonly ListedFunction[] | undefined {
  const format = formatNamed(version);
  if (format === undefined) {
    return undefined;
  }
  const conditions = withConditions ? [...format.conditionFunctions] : [];
  const all = new Map([
    ...conditions.filter(([, { isRefused }]) => !isRefused),
    ...[...format.functions].filter(([, { isRefused }]) => !isRefused),
  ]);
  return [...all]
    .map(([name, { description }]) => ({ functions: name, description }))
    .sort((one, other) => (one.functions < other.functions ? -1 : 1));
}
