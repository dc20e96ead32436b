/**
 * Stores the file of a form: as PutObject does, with another answer. Public source: Amazon S3 API
 * reference, "POST Object".
 */
import { Injectable } from '@nestjs/common';
import type { FormFile } from '../../auth/post/form-reader.js';
import type { FormFields } from '../../auth/post/post-policy.js';
import type { S3Answer } from '../../http/s3-answer.js';
import type { S3Request } from '../../http/s3-request.js';
import { writeXml } from '../../http/xml.js';
import { Handles, type ObjectCall, type Operation } from '../../operations/operation.js';
import { PutObject } from './put-object.operation.js';

@Injectable()
@Handles('PostObject')
export class PostObject implements Operation<ObjectCall> {
  constructor(private readonly put: PutObject) {}

  /** @throws S3Error as PutObject does; EntityTooSmall and EntityTooLarge for what the policy says */
  async run(call: ObjectCall): Promise<S3Answer> {
    const { headers = {} } = await this.put.run(call);
    return postAnswer(call, (call.body as FormFile).fields, headers);
  }
}

type Stored = Pick<ObjectCall, 'request' | 'bucket' | 'key'>;

/**
 * What a form is answered with, as it asks for. Public source: Amazon S3 API reference, "POST
 * Object". Pure.
 *
 * @param stored headers of what has been stored: `etag` and more
 */
export function postAnswer(
  { request, bucket, key }: Stored,
  fields: FormFields,
  stored: NonNullable<S3Answer['headers']>,
): S3Answer {
  const { etag = '' } = stored;
  const redirect = redirectOf(fields, { bucket: bucket.name, key, etag });
  if (redirect !== undefined) return { status: 303, headers: { ...stored, location: redirect } };
  const location = locationOf(request, key);
  const headers = { ...stored, location };
  switch (fields.get('success_action_status')) {
    case '200':
      return { status: 200, headers };
    case '201': {
      const tree = { Location: location, Bucket: bucket.name, Key: key, ETag: etag };
      return {
        status: 201,
        headers: { ...headers, 'content-type': 'application/xml' },
        // Elements without a namespace, as Amazon's.
        body: writeXml('PostResponse', tree, ''),
      };
    }
    default:
      return { status: 204, headers };
  }
}

/** @returns undefined if the form has none, or what is no URL */
function redirectOf(fields: FormFields, object: Record<string, string>): string | undefined {
  const given = fields.get('success_action_redirect') ?? fields.get('redirect');
  if (given === undefined || !URL.canParse(given)) return undefined;
  const url = new URL(given);
  if (!['http:', 'https:'].includes(url.protocol)) return undefined;
  for (const [name, value] of Object.entries(object)) url.searchParams.append(name, value);
  return url.href;
}

/** The object's own URL. */
function locationOf({ isEncrypted, host, rawPath }: S3Request, key: string): string {
  const bucket = rawPath.endsWith('/') ? rawPath : `${rawPath}/`;
  const path = encodeURIComponent(key).replaceAll('%2F', '/');
  return `${isEncrypted ? 'https' : 'http'}://${host}${bucket}${path}`;
}
