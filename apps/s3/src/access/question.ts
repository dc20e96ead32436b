/** What is asked of those who decide on access. */
import type { Caller } from '../auth/caller.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { S3Request } from '../http/s3-request.js';
import type { StoredObject } from '../objects/object.entity.js';
import type { Tags } from '../objects/tags.js';

/** What something is to be done to. */
export interface Resource {
  readonly bucket: Bucket;
  readonly key: string | undefined;
  /** The version that is there: needed for actions on one. */
  readonly object: StoredObject | undefined;
  /** What asks for it: policies have conditions on it. */
  readonly request: S3Request;
  /** Tags that its body brings; else those of its headers count. */
  readonly requestTags?: Tags;
}

export interface Question {
  readonly caller: Caller;
  /** As policies name it: `s3:GetObject`. */
  readonly action: string;
  readonly resource: Resource;
  /** Whether it is to be done to an object that is only just being stored. */
  readonly isNew?: boolean;
}
