/** The policies of buckets, read once for as long as they are in use. */
import type { Bucket } from '../../buckets/bucket.entity.js';
import { Recent } from '../recent.js';
import { parsePolicy } from './parse-policy.js';
import type { Policy } from './policy.js';

const REMEMBERED = 256;
const known = new Recent<Policy>(REMEMBERED);

/** @returns undefined if it has none */
export function policyOf({ configurations }: Pick<Bucket, 'configurations'>): Policy | undefined {
  const text = configurations.policy;
  return text === undefined ? undefined : (known.get(text) ?? known.set(text, parsePolicy(text)));
}
