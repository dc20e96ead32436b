import { createHash } from 'node:crypto';
import type { LoadedResource } from '../../rows/loaded-resource.js';

const SUFFIX = 12;

/**
 * `stack-resource-k3jd8s2mxq5p`; shortened in front, as what follows makes it unique.
 * @param max characters
 */
export function physicalName(
  { id, stackName, name }: Pick<LoadedResource, 'id' | 'stackName' | 'name'>,
  max = 255,
): string {
  const digest = createHash('sha256').update(id).digest();
  const suffix = Array.from(digest.subarray(0, SUFFIX), (byte) => (byte % 32).toString(32)).join(
    '',
  );
  const whole = `${stackName}-${name}-${suffix}`;
  return whole.length <= max ? whole : `${whole.slice(0, 2)}-${whole.slice(-(max - 3))}`;
}
