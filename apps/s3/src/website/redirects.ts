/**
 * Where a website leads its visitors. Locations are encoded, so that no key and no configured text
 * ends a header or names another host. Public source: Amazon S3 user guide, "Configuring a webpage
 * redirect". Pure.
 */
import type { S3Request } from '../http/s3-request.js';
import type { Redirect, RoutingRule, Website } from '../buckets/configurations.js';

type Visit = Pick<S3Request, 'host' | 'isEncrypted' | 'rawPath' | 'rawQuery'>;

/**
 * The first rule that holds.
 * @param key as the visitor asked for it, without an index document: empty for the root
 * @param errorStatus which the page failed with; undefined before anything has been looked for
 */
export function ruleFor(
  { rules = [] }: Website,
  key: string,
  errorStatus?: number,
): RoutingRule | undefined {
  return rules.find(
    ({ condition }) =>
      condition.errorStatus === errorStatus && key.startsWith(condition.keyPrefix ?? ''),
  );
}

export function locationByRule(
  { condition, redirect }: RoutingRule,
  key: string,
  visit: Visit,
): string {
  const path = replaced(redirect, condition.keyPrefix ?? '', key);
  return withQuery(`${originOf(redirect, visit)}/${path}`, visit);
}

/** The same path at another host. */
export function locationElsewhere(to: NonNullable<Website['redirectAll']>, visit: Visit): string {
  return withQuery(`${originOf(to, visit)}${plain(visit.rawPath)}`, visit);
}

/** A folder's address at the same host. */
export function locationOfFolder(key: string, visit: Visit): string {
  // Two slashes at the front would name a host.
  return withQuery(`/${encodedKey(key).replace(/^\//, '%2F')}/`, visit);
}

function replaced({ key: whole, keyPrefix }: Redirect, prefix: string, key: string): string {
  if (whole !== undefined) return encodeURI(whole);
  if (keyPrefix === undefined) return encodedKey(key);
  return encodeURI(keyPrefix) + encodedKey(key.slice(prefix.length));
}

function originOf({ host, protocol }: Pick<Redirect, 'host' | 'protocol'>, visit: Visit): string {
  const scheme = protocol ?? (visit.isEncrypted ? 'https' : 'http');
  return `${scheme}://${encodeURI(host ?? visit.host)}`;
}

/** Pages are asked for with parameters of their own, unless the place that they move to has some. */
function withQuery(location: string, { rawQuery }: Visit): string {
  if (rawQuery === '' || /[?#]/.test(location)) return location;
  return `${location}?${plain(rawQuery)}`;
}

function encodedKey(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/');
}

/** Encodes what stands in a request line as it may not. */
function plain(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent);
}
