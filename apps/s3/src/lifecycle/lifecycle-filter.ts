/** Which objects a lifecycle rule is for. Pure. */
import type { StoredObject } from '../objects/object.entity.js';
import type { LifecycleFilter } from './lifecycle-rule.js';

export type FilteredObject = Pick<StoredObject, 'key' | 'size' | 'tags'>;

export function isFor(
  { prefix = '', tags = {}, sizeAbove, sizeBelow }: LifecycleFilter,
  object: FilteredObject,
): boolean {
  const size = Number(object.size);
  return (
    object.key.indexOf(Buffer.from(prefix)) === 0 &&
    Object.entries(tags).every(([key, value]) => object.tags[key] === value) &&
    (sizeAbove === undefined || size > sizeAbove) &&
    (sizeBelow === undefined || size < sizeBelow)
  );
}
