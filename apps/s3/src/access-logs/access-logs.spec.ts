import { expect, it } from '@jest/globals';
import { OPERATIONS } from '../operations/operations.js';
import { loggedOperationOf } from './access-logs.js';

it.each([
  ['GetObject', 'REST.GET.OBJECT'],
  ['HeadBucket', 'REST.HEAD.BUCKET'],
  ['ListObjectsV2', 'REST.GET.BUCKET'],
  ['ListObjectVersions', 'REST.GET.BUCKETVERSIONS'],
  ['GetBucketVersioning', 'REST.GET.VERSIONING'],
  ['GetBucketLogging', 'REST.GET.LOGGING_STATUS'],
  ['GetBucketPolicy', 'REST.GET.BUCKETPOLICY'],
  ['PutObjectTagging', 'REST.PUT.OBJECT_TAGGING'],
  ['PutBucketTagging', 'REST.PUT.TAGGING'],
  ['GetObjectAcl', 'REST.GET.ACL'],
  ['CopyObject', 'REST.COPY.OBJECT'],
  ['UploadPart', 'REST.PUT.PART'],
  ['DeleteObjects', 'REST.POST.MULTI_OBJECT_DELETE'],
])('%s is logged as %s', (name, logged) => {
  const operation = OPERATIONS.find((one) => one.name === name);
  expect(operation && loggedOperationOf(operation)).toBe(logged);
});

it('every operation is logged under a name of three parts', () => {
  for (const operation of OPERATIONS)
    expect(loggedOperationOf(operation)).toMatch(/^REST\.[A-Z]+\.[A-Z_]+$/);
});
