/** Tags of a bucket. Public source: Amazon S3 API reference, "PutBucketTagging". */
import { MAX_BUCKET_TAGS, tagsTree, xmlTagsOf } from '../../objects/tags.js';
import type { ConfigurationPage } from '../configuration-page.js';

export const TAGGING: ConfigurationPage<'tagging'> = {
  kind: 'tagging',
  root: 'Tagging',
  operations: { get: 'GetBucketTagging', put: 'PutBucketTagging', delete: 'DeleteBucketTagging' },
  absent: 'NoSuchTagSet',
  putStatus: 204,
  parse: (document) => xmlTagsOf(document, MAX_BUCKET_TAGS),
  show: tagsTree,
};
