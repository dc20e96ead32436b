/**
 * Whether a policy is about the bucket that it is for, and about what there is. Pure. Public source:
 * Amazon S3 user guide, "Policies and permissions in Amazon S3".
 */
import { ACTIONS } from '../actions.js';
import { malformedPolicy } from './policy-json.js';
import { isLike, partsOf, type Pattern } from './pattern.js';
import type { Policy, Statement } from './policy.js';

const SPELT = ACTIONS.map((action) => action.toLowerCase());
const NO_VARIABLES = (): undefined => undefined;

/** @throws S3Error MalformedPolicy */
export function requireScope({ statements }: Policy, bucketName: string): void {
  for (const statement of statements) {
    for (const { path } of statement.resources.items)
      if (!isOfBucket(path, bucketName))
        throw malformedPolicy(`Policy has invalid resource: ${path.text} is not of ${bucketName}`);
    requireActions(statement);
  }
}

/** Whether a pattern can be for a bucket, or for what is in it. */
function isOfBucket(path: Pattern, bucketName: string): boolean {
  const [bucket = path] = partsOf(path, '/', 2);
  return bucket.hasVariables || isLike(bucket, bucketName, NO_VARIABLES);
}

function requireActions({ actions }: Statement): void {
  for (const pattern of actions.items) {
    if (SPELT.some((action) => isLike(pattern, action, NO_VARIABLES))) continue;
    throw malformedPolicy(`Policy has invalid action: ${pattern.text}`);
  }
}
