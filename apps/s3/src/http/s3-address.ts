/**
 * Which bucket and key a request is for: by its host (`bucket.localhost:9000`), or by its path. An
 * unsigned request names the project too: `{project_id}:{bucket}` in the path, or
 * `{bucket}.{project_id}.{domain}` as the host. Pure.
 */
import { S3Error } from './s3-error.js';

export interface S3Address {
  readonly bucket: NamedBucket | undefined;
  /** Undefined for a bucket itself. Any text, which is at most 1,024 bytes long in UTF-8. */
  readonly key: string | undefined;
  /** Whether the host names the bucket. */
  readonly isHostStyle: boolean;
}

export interface NamedBucket {
  /** As it stands in the request, whether or not it can be a bucket's. */
  readonly name: string;
  /** Undefined: of the caller's project. */
  readonly projectId: string | undefined;
}

/** Bytes of a key in UTF-8. */
const MAX_KEY_BYTES = 1024;
const PROJECT = /^(.+)\.([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * @param host of the Host header: with or without a port
 * @param path as it was sent, percent-encoded, without a query
 * @param domains below which hosts are buckets'
 * @param isSigned whether the request names its project by its access key
 * @throws S3Error InvalidURI, KeyTooLongError
 */
export function addressOf(
  { host, path }: { readonly host: string; readonly path: string },
  domains: readonly string[],
  isSigned: boolean,
): S3Address {
  const name = nameOf(host);
  const domain = domainAbove(host, domains);
  if (domain !== undefined) {
    const bucket = ofHost(name.slice(0, -domain.length - 1), isSigned);
    return { bucket, key: keyOf(path.slice(1)), isHostStyle: true };
  }
  const end = path.indexOf('/', 1);
  const first = decoded(end < 0 ? path.slice(1) : path.slice(1, end));
  if (first === '') return { bucket: undefined, key: undefined, isHostStyle: false };
  const key = end < 0 ? undefined : keyOf(path.slice(end + 1));
  return { bucket: ofPath(first), key, isHostStyle: false };
}

/** Which of some domains a host is below, if it is below any. */
export function domainAbove(host: string, domains: readonly string[]): string | undefined {
  const name = nameOf(host);
  return domains.find((one) => name.endsWith(`.${one}`));
}

/** @param text separated by commas, as in the settings */
export function domainsIn(text: string): readonly string[] {
  const names = text.split(',').map((one) => one.trim().toLowerCase());
  return names.filter((one) => one !== '');
}

function nameOf(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/** `bucket`, or `project:bucket`; `:bucket` names no project either. */
export function ofPath(text: string): NamedBucket {
  const at = text.indexOf(':');
  if (at < 0) return { name: text, projectId: undefined };
  return { name: text.slice(at + 1), projectId: text.slice(0, at) || undefined };
}

function ofHost(text: string, isSigned: boolean): NamedBucket {
  const [, name, projectId] = (isSigned ? null : PROJECT.exec(text)) ?? [];
  return { name: name ?? text, projectId };
}

/** @returns undefined for an empty one */
function keyOf(encoded: string): string | undefined {
  const key = decoded(encoded);
  requireKey(key);
  return key === '' ? undefined : key;
}

/** @throws S3Error KeyTooLongError */
export function requireKey(key: string): void {
  const size = Buffer.byteLength(key);
  if (size <= MAX_KEY_BYTES) return;
  const details = { Size: size, MaxSizeAllowed: MAX_KEY_BYTES };
  throw new S3Error('KeyTooLongError', { details });
}

/** @throws S3Error InvalidURI for what is no UTF-8 */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new S3Error('InvalidURI', { cause });
  }
}
