/** What a copy is stored with: what its source has, or what the request says. */
import { S3Error } from '../http/s3-error.js';
import { headerOf } from '../http/s3-request.js';
import type { ObjectCall } from '../operations/operation.js';
import type { CopySource } from './copy-source.js';
import { propertiesOf, type ObjectProperties } from './object-properties.js';

/** Of a source, a copy has all headers but where its website redirects to. */
const NOT_COPIED = 'x-amz-website-redirect-location';

/** @throws S3Error InvalidArgument, InvalidRequest, and those of `propertiesOf` */
export function copiedProperties(call: ObjectCall, { object }: CopySource): ObjectProperties {
  const asked = propertiesOf(call);
  const { [NOT_COPIED]: _, ...headers } = object.headers;
  const redirect = asked.headers[NOT_COPIED];
  return {
    ...asked,
    ...(isReplaced(call, 'x-amz-metadata-directive')
      ? {}
      : {
          headers: { ...headers, ...(redirect === undefined ? {} : { [NOT_COPIED]: redirect }) },
          metadata: object.metadata,
        }),
    ...(areTagsReplaced(call) ? {} : { tags: object.tags }),
  };
}

export function areTagsReplaced(call: ObjectCall): boolean {
  return isReplaced(call, 'x-amz-tagging-directive');
}

function isReplaced({ request }: ObjectCall, directive: string): boolean {
  const value = headerOf(request, directive) ?? 'COPY';
  if (value === 'COPY' || value === 'REPLACE') return value === 'REPLACE';
  throw new S3Error('InvalidArgument', {
    message: `Unknown ${directive.includes('tagging') ? 'tagging' : 'metadata'} directive.`,
    details: { ArgumentName: directive, ArgumentValue: value },
  });
}

/** Headers of which each alone makes a copy differ from its source. */
const CHANGES = [
  'x-amz-storage-class',
  NOT_COPIED,
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-customer-algorithm',
];

/** Methods that a copy has only if it is asked for them: bytes are otherwise under the service's own key. */
const ASKED_FOR = ['SSE-KMS', 'SSE-C'];

/** @throws S3Error InvalidRequest for a copy onto itself that would change nothing */
export function requireChange(call: ObjectCall, { bucket, object, versionId }: CopySource): void {
  const isSame = bucket.id === call.bucket.id && object.key.equals(Buffer.from(call.key));
  if (!isSame || versionId !== undefined) return;
  if (isReplaced(call, 'x-amz-metadata-directive')) return;
  if (CHANGES.some((name) => call.request.headers[name] !== undefined)) return;
  if (ASKED_FOR.includes(object.encryption?.kind ?? '')) return;
  // Whatever the bucket's default was when the source was stored: Amazon does not compare them either.
  if (call.bucket.configurations.encryption) return;
  throw new S3Error('InvalidRequest', {
    message:
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
  });
}
