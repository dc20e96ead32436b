/**
 * Which requests an access key may sign whose application credential is limited by access rules. A rule
 * names the service type `s3`, a method, and the path in path style, decoded: `/bucket/key`, whichever
 * way the request is addressed; its query does not count, as in every service. Pure. Public source:
 * Keystone user guide, "Application Credentials", access rules.
 */
import { isAllowed } from '@cumulet/common/context/access-rules';
import type { Caller } from '../auth/caller.js';
import type { NamedBucket, S3Address } from '../http/s3-address.js';
import { S3Error } from '../http/s3-error.js';

/** As the catalog has it. */
const SERVICE_TYPE = 's3';

/**
 * @param method of the request; that of reading, for the source of a copy
 * @throws S3Error AccessDenied
 */
export function requireRule(
  caller: Caller,
  method: string,
  address: Pick<S3Address, 'bucket' | 'key'>,
): void {
  const delegation = caller.kind === 'signed' ? caller.key.delegation : undefined;
  if (delegation?.kind !== 'application-credential' || !delegation.accessRules) return;
  const path = pathOf(caller, address);
  if (isAllowed(delegation.accessRules, { service: SERVICE_TYPE, method, path })) return;
  throw new S3Error('AccessDenied', {
    message: `Access Denied: the access rules of the application credential do not allow ${method} ${path}.`,
  });
}

function pathOf(caller: Caller, { bucket, key }: Pick<S3Address, 'bucket' | 'key'>): string {
  if (bucket === undefined) return '/';
  const name = `/${projectPrefix(caller, bucket)}${bucket.name}`;
  return key === undefined ? name : `${name}/${key}`;
}

/** A bucket of another project is not one of the same name of the caller's own. */
function projectPrefix(caller: Caller, { projectId }: NamedBucket): string {
  const isOwn = caller.kind === 'signed' && projectId === caller.projectId;
  return projectId === undefined || isOwn ? '' : `${projectId}:`;
}
