/**
 * Addresses as they may be written down: without what lets their reader do what their sender could.
 * Pure.
 */

/** In lower case. What signs a request, what stands for a session, and what encrypts. */
const SECRET = new Set([
  'x-amz-signature',
  'signature',
  'x-amz-security-token',
  'x-amz-s3session-token',
  'x-auth-token',
  'token',
  'x-amz-server-side-encryption-customer-key',
  'x-amz-copy-source-server-side-encryption-customer-key',
]);
const REMOVED = 'REMOVED';

/** @param address a path with its query, or a URL; what is behind a `#`, and who logs in, go as well */
export function withoutSecrets(address: string): string {
  const [all = ''] = address.split('#', 1);
  const at = all.indexOf('?');
  const path = (at < 0 ? all : all.slice(0, at)).replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
  if (at < 0) return path;
  return `${path}?${all
    .slice(at + 1)
    .split('&')
    .map(withoutSecret)
    .join('&')}`;
}

function withoutSecret(parameter: string): string {
  const at = parameter.indexOf('=');
  if (at < 0) return parameter;
  const name = parameter.slice(0, at);
  return isSecret(name) ? `${name}=${REMOVED}` : parameter;
}

/** What cannot be decoded could be any name. */
function isSecret(name: string): boolean {
  try {
    return SECRET.has(decodeURIComponent(name.replaceAll('+', ' ')).trim().toLowerCase());
  } catch {
    return true;
  }
}
