/** Who owns what others write. Public source: Amazon S3 API reference, "PutBucketOwnershipControls". */
import type { Bucket } from '../../buckets/bucket.entity.js';
import { S3Error } from '../../http/s3-error.js';
import { choiceOf, requireOnly } from '../../http/xml.js';
import type { ConfigurationPage } from '../configuration-page.js';
import { OBJECT_OWNERSHIPS } from '../configurations.js';

export const OWNERSHIP: ConfigurationPage<'ownership'> = {
  kind: 'ownership',
  root: 'OwnershipControls',
  operations: {
    get: 'GetBucketOwnershipControls',
    put: 'PutBucketOwnershipControls',
    delete: 'DeleteBucketOwnershipControls',
  },
  absent: 'OwnershipControlsNotFoundError',

  parse(document, bucket) {
    requireOnly(document, ['Rule']);
    const ownership = choiceOf(document.need('Rule').need('ObjectOwnership'), OBJECT_OWNERSHIPS);
    if (ownership === 'BucketOwnerEnforced' && grantsOthers(bucket))
      throw new S3Error('InvalidBucketAclWithObjectOwnership');
    return ownership;
  },

  show: (ownership) => ({ Rule: { ObjectOwnership: ownership } }),
};

/** Whether its ACL gives more than all to its owner. */
function grantsOthers({ acl, projectId }: Bucket): boolean {
  return (acl?.grants ?? []).some(
    ({ grantee }) => grantee.kind === 'group' || grantee.id !== (projectId as string),
  );
}
