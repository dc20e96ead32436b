/** What a bucket is created with, from the request that asks for it. */
import type { ProjectId } from '@cumulet/common/context/ids';
import { aclOf } from '../access/acl-request.js';
import type { Configurations, ObjectOwnership } from '../configurations/configurations.js';
import { optionalXmlOf } from '../http/read-document.js';
import { S3Error } from '../http/s3-error.js';
import { headerOf, type S3Request } from '../http/s3-request.js';
import type { XmlElement } from '../http/xml.js';
import { MAX_BUCKET_TAGS, tagListOf } from '../objects/tags.js';
import type { S3Call } from '../operations/operation.js';
import { regionOf } from './bucket-region.js';
import type { NewBucket } from './bucket.repository.js';

const ROOT = 'CreateBucketConfiguration';
const OBJECT_LOCK = 'x-amz-bucket-object-lock-enabled';

/**
 * @param region of a bucket whose creator names none
 * @throws S3Error InvalidArgument, MalformedXML, InvalidLocationConstraint, InvalidTag,
 * NotImplemented
 */
export async function newBucketOf(
  call: Pick<S3Call, 'request' | 'body'>,
  { name, projectId }: { readonly name: string; readonly projectId: ProjectId },
  region: string,
): Promise<NewBucket> {
  const { headers } = call.request;
  const document = await optionalXmlOf(call, ROOT);
  requireGeneralPurpose(document);
  const ownership = headers['x-amz-object-ownership'] as ObjectOwnership | undefined;
  return {
    projectId,
    name,
    region: regionOf(document?.child('LocationConstraint')?.text.trim() ?? '') ?? region,
    objectLock: flagOf(call.request, OBJECT_LOCK),
    acl: aclOf(headers, projectId, projectId),
    configurations: { ...(ownership && { ownership }), ...taggingOf(document) },
  };
}

/** Both are of buckets that Amazon calls directory buckets. */
function requireGeneralPurpose(document: XmlElement | undefined): void {
  const other = document?.names.find((one) => one === 'Bucket' || one === 'Location');
  if (other === undefined) return;
  throw new S3Error('NotImplemented', {
    message: `${ROOT} has the element ${other}: directory buckets are not implemented.`,
  });
}

function taggingOf(document: XmlElement | undefined): Pick<Configurations, 'tagging'> {
  const list = document?.child('Tags');
  const tagging = list ? tagListOf(list, MAX_BUCKET_TAGS) : {};
  return Object.keys(tagging).length === 0 ? {} : { tagging };
}

/** @throws S3Error InvalidArgument */
function flagOf(request: S3Request, name: string): boolean {
  const value = headerOf(request, name) ?? 'false';
  const flag = value.toLowerCase();
  if (flag === 'true' || flag === 'false') return flag === 'true';
  throw new S3Error('InvalidArgument', {
    message: `The header ${name} must be true or false.`,
    details: { ArgumentName: name, ArgumentValue: value },
  });
}
