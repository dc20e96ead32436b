/**
 * What logs call operations: `REST.GET.OBJECT`. Pure. Public source: Amazon S3 user guide, "Amazon S3
 * server access log format", Operation.
 */
import type { OperationDeclaration } from '../operations/operation-row.js';
import type { OperationName } from '../operations/operations.js';

/** Where the resource has a name of its own. */
const NAMES: Readonly<Partial<Record<OperationName, string>>> = {
  CopyObject: 'REST.COPY.OBJECT',
  UploadPart: 'REST.PUT.PART',
  UploadPartCopy: 'REST.COPY.PART',
  CreateMultipartUpload: 'REST.POST.UPLOADS',
  CompleteMultipartUpload: 'REST.POST.UPLOAD',
  AbortMultipartUpload: 'REST.DELETE.UPLOAD',
  ListParts: 'REST.GET.UPLOAD',
  ListMultipartUploads: 'REST.GET.UPLOADS',
  DeleteObjects: 'REST.POST.MULTI_OBJECT_DELETE',
  ListObjectVersions: 'REST.GET.BUCKETVERSIONS',
  SelectObjectContent: 'REST.SELECT.OBJECT',
};

const SUBRESOURCES: Readonly<Record<string, string>> = {
  acl: 'ACL',
  'legal-hold': 'LEGAL_HOLD',
  logging: 'LOGGING_STATUS',
  'object-lock': 'OBJECT_LOCK_CONFIGURATION',
  ownershipControls: 'OWNERSHIP_CONTROLS',
  policy: 'BUCKETPOLICY',
  policyStatus: 'POLICY_STATUS',
  publicAccessBlock: 'PUBLIC_ACCESS_BLOCK',
  requestPayment: 'REQUEST_PAYMENT',
};

export function loggedOperationOf({ name, method, on, query }: OperationDeclaration): string {
  const known = NAMES[name as OperationName];
  if (known !== undefined) return known;
  const [subresource = ''] = query.split(/[&=]/);
  if (subresource === '' || subresource === 'list-type')
    return `REST.${method}.${on.toUpperCase()}`;
  if (subresource === 'tagging' && on === 'object') return `REST.${method}.OBJECT_TAGGING`;
  const resource = SUBRESOURCES[subresource] ?? subresource.replaceAll('-', '_').toUpperCase();
  return `REST.${method}.${resource}`;
}
