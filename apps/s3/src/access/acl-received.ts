/**
 * The ACL that a request to change one brings: in its headers or in its body, not in both. Public
 * source: Amazon S3 API reference, PutBucketAcl and PutObjectAcl.
 */
import { documentOf } from '../http/read-document.js';
import { S3Error } from '../http/s3-error.js';
import { readXml } from '../http/xml.js';
import type { BucketCall } from '../operations/operation.js';
import type { Acl } from './acl.js';
import { ACL_ROOT, aclOfDocument } from './acl-document.js';
import { aclOf, asksForAcl } from './acl-request.js';
import { notSupported } from './acl-rules.js';
import { isOwnerEnforced } from './ownership.js';

/**
 * @param owner the project that owns what the ACL is for
 * @throws S3Error AccessControlListNotSupported, UnexpectedContent, MissingSecurityHeader,
 * MalformedACLError, and what `aclOf` and `aclOfDocument` throw
 */
export async function receivedAcl(call: BucketCall, owner: string): Promise<Acl | null> {
  const { bucket, request } = call;
  if (isOwnerEnforced(bucket)) throw notSupported();
  const document = await documentOf(call);
  if (asksForAcl(request.headers)) {
    if (document.length > 0)
      throw new S3Error('UnexpectedContent', {
        message: 'An ACL comes in headers or in the body, not in both.',
      });
    return aclOf(request.headers, owner, bucket.projectId);
  }
  if (document.length === 0)
    throw new S3Error('MissingSecurityHeader', {
      message: 'The request brings no ACL: neither x-amz-acl, nor grants, nor a body.',
      details: { MissingHeaderName: 'x-amz-acl' },
    });
  return aclOfDocument(parsed(document), owner);
}

/** @throws S3Error MalformedACLError */
function parsed(document: Buffer): ReturnType<typeof readXml> {
  try {
    return readXml(new TextDecoder('utf-8', { fatal: true }).decode(document), ACL_ROOT);
  } catch (cause) {
    throw new S3Error('MalformedACLError', { cause });
  }
}
