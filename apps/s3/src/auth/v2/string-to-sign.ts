/**
 * What a signature of version 2 is over, as text of which each character is a byte: headers come so.
 * Pure. Public source: Amazon S3 user guide, "Signing and
 * authenticating REST requests (AWS signature version 2)".
 */
import { createHmac } from 'node:crypto';
import type { S3Request } from '../../http/s3-request.js';

/** Query parameters that name what a request is about. */
const SUB_RESOURCES = new Set([
  'accelerate',
  'acl',
  'analytics',
  'cors',
  'defaultObjectAcl',
  'delete',
  'encryption',
  'inventory',
  'lifecycle',
  'location',
  'logging',
  'metrics',
  'notification',
  'object-lock',
  'ownershipControls',
  'partNumber',
  'policy',
  'policyStatus',
  'publicAccessBlock',
  'replication',
  'requestPayment',
  'response-cache-control',
  'response-content-disposition',
  'response-content-encoding',
  'response-content-language',
  'response-content-type',
  'response-expires',
  'restore',
  'retention',
  'legal-hold',
  'select',
  'select-type',
  'tagging',
  'torrent',
  'uploadId',
  'uploads',
  'versionId',
  'versioning',
  'versions',
  'website',
  'attributes',
  'intelligent-tiering',
  'append',
  'position',
]);

type Sent = Pick<S3Request, 'method' | 'rawPath' | 'query' | 'headers' | 'address'>;

/** @param date of the Date header, or when a presigned address expires */
export function stringToSignV2(request: Sent, date: string): string {
  const { method, headers } = request;
  const header = (name: string): string => [headers[name] ?? ''].flat().join(',');
  const amz = Object.keys(headers)
    .filter((name) => name.startsWith('x-amz-'))
    .sort()
    .map((name) => `${name}:${header(name).trim()}\n`);
  // Where it is sent as x-amz-date, it is among those.
  const at = headers['x-amz-date'] === undefined ? date : '';
  return [
    method,
    header('content-md5'),
    header('content-type'),
    at,
    amz.join('') + resourceOf(request),
  ].join('\n');
}

export function signV2(secret: string, text: string): string {
  return createHmac('sha1', secret).update(text, 'latin1').digest('base64');
}

function resourceOf({ rawPath, query, address }: Sent): string {
  const path = address.isHostStyle ? `/${address.bucket?.name ?? ''}${rawPath}` : rawPath;
  const named = [...query]
    .filter(([name]) => SUB_RESOURCES.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) =>
      value === '' ? name : `${name}=${Buffer.from(value).toString('latin1')}`,
    );
  return named.length === 0 ? path : `${path}?${named.join('&')}`;
}
