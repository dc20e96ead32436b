/**
 * A form as the request that it stands for: its fields are headers, and one is the key. Public
 * source: Amazon S3 API reference, "POST Object". Pure.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FormFields } from '../../auth/post/post-policy.js';
import { requireKey } from '../../http/s3-address.js';
import { asHeaderValue, requireHeader } from '../../http/header-value.js';
import { S3Error } from '../../http/s3-error.js';
import type { S3Request } from '../../http/s3-request.js';
import { readXml } from '../../http/xml.js';
import { MAX_OBJECT_TAGS, xmlTagsOf } from '../tags.js';

/** Headers of the request that are not about the form. */
const KEPT = /^(?:host|origin|referer|user-agent|x-amz-expected-bucket-owner)$/;
/** Fields that are headers under the same name. */
const HEADERS =
  /^(?:cache-control|content-(?:type|disposition|encoding|language|md5)|expires|x-amz-(?!copy-source|tagging$).+)$/s;

/**
 * @param filename stands for `${filename}` in the key
 * @returns the fields as policies are about them: with the key as it is meant, and the bucket
 */
export function meantFields(
  fields: FormFields,
  filename: string,
  { address }: S3Request,
): FormFields {
  const meant = new Map(fields);
  const key = fields.get('key');
  if (key !== undefined)
    meant.set(
      'key',
      key.replaceAll('${filename}', () => filename),
    );
  if (address.bucket) meant.set('bucket', address.bucket.name);
  return meant;
}

/** @throws S3Error InvalidArgument for a field that cannot be a header, UserKeyMustBeSpecified, KeyTooLongError, MalformedXML, InvalidTag */
export function formRequestOf(request: S3Request, fields: FormFields): S3Request {
  const key = fields.get('key') ?? '';
  if (key === '')
    throw new S3Error('UserKeyMustBeSpecified', {
      message:
        "Bucket POST must contain a field named 'key'. If it is specified, please check the order of the fields.",
      details: { ArgumentName: 'key' },
    });
  requireKey(key);
  return {
    ...request,
    headers: headersOf(request.headers, fields),
    address: { ...request.address, key },
  };
}

function headersOf(sent: IncomingHttpHeaders, fields: FormFields): IncomingHttpHeaders {
  const own = Object.entries(sent).filter(([name]) => KEPT.test(name));
  const given = [...fields].flatMap(([name, text]): [string, string][] => {
    if (!HEADERS.test(name)) return [];
    const value = asHeaderValue(text);
    requireHeader(name, value);
    return [[name, value]];
  });
  const headers: IncomingHttpHeaders = Object.fromEntries([...own, ...given]);
  const [acl, tagging] = [fields.get('acl'), fields.get('tagging')];
  if (acl !== undefined) headers['x-amz-acl'] = acl;
  if (tagging !== undefined) headers['x-amz-tagging'] = taggingHeader(tagging);
  return headers;
}

/** @param xml `<Tagging>…`. @returns `a=1&b=2` */
function taggingHeader(xml: string): string {
  const tags = xmlTagsOf(readXml(xml, 'Tagging'), MAX_OBJECT_TAGS);
  const pairs = Object.entries(tags).map((pair) => pair.map(encodeURIComponent).join('='));
  return pairs.join('&');
}
