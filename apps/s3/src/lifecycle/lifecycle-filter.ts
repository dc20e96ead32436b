/** Which objects a lifecycle rule is for. Pure. */
import type { StoredObject } from '../objects/object.entity.js';
import type { LifecycleFilter } from './lifecycle-rule.js';

export type FilteredObject = Pick<StoredObject, 'key' | 'size' | 'tags'>;

export function isFor(filter: LifecycleFilter, object: FilteredObject): boolean {
  const { tags = {}, sizeAbove, sizeBelow } = filter;
  const size = Number(object.size);
  return (
    isForKey(filter, object.key) &&
    Object.entries(tags).every(([key, value]) => object.tags[key] === value) &&
    (sizeAbove === undefined || size > sizeAbove) &&
    (sizeBelow === undefined || size < sizeBelow)
  );
}

/** The same for an upload, which has neither size nor tags to go by. */
export function isForKey({ prefix = '' }: LifecycleFilter, key: Buffer): boolean {
  return key.indexOf(Buffer.from(prefix)) === 0;
}
