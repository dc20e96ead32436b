/**
 * URLs of endpoints, which may refer to the token: `%(project_id)s` or `$(project_id)s`. Pure.
 *
 * Always holds: `substitute` makes an http(s) URL of a template that passed `isUrlTemplate`, unless a
 * name in it has no value.
 * Public source: Keystone administrator guide, "Managing the service catalog".
 */

export interface UrlValues {
  readonly user_id: string;
  /** Undefined for a token without a project; `tenant_id` is the former name. */
  readonly project_id: string | undefined;
  readonly tenant_id: string | undefined;
  /** The address at which this service was reached, without `/v3`. */
  readonly public_endpoint: string;
}

const SAMPLES: Record<keyof UrlValues, string> = {
  user_id: 'user',
  project_id: 'project',
  tenant_id: 'project',
  public_endpoint: 'http://cloud.example',
};

export const URL_NAMES = Object.keys(SAMPLES) as readonly (keyof UrlValues)[];

/** As in Keystone. */
export const MAX_URL_LENGTH = 225;

/** The start of a substitution, or all of it if it is well formed. */
const SUBSTITUTION = /[$%]\((?:([^()]*)\)s)?/g;

export function isUrlTemplate(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH) return false;
  if (/[\s\p{C}]/u.test(value)) return false;
  const url = substitute(value, SAMPLES);
  return url !== undefined && /^https?:\/\/[^/]/i.test(url) && URL.canParse(url);
}

/** @returns undefined if a name in the template is unknown or has no value */
export function substitute(template: string, values: UrlValues): string | undefined {
  const valueOf = (name: string | undefined): string | undefined => {
    const known = URL_NAMES.find((one) => one === name);
    return known && values[known];
  };
  const named = [...template.matchAll(SUBSTITUTION)].map(([, name]) => valueOf(name));
  if (named.includes(undefined)) return undefined;
  return template.replaceAll(SUBSTITUTION, (_, name: string) => valueOf(name) ?? '');
}
