import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { isMap, type Json, type JsonObject } from '../../json/json.js';
import type { AdoptedBelow, AdoptedResource } from '../stored.js';

/** Stacks below stacks that data may tell of, which is far more than there may be. */
const MAX_DEPTH = 50;

/**
 * The resources of data that `abandon` gave, with those of stacks below them.
 * @throws InvalidInputError naming the resource that is not as it gives them
 */
export function adoptedOf(data: JsonObject): Record<string, AdoptedResource> {
  return adoptedAt(data, [], 'resources');
}

function adoptedAt(
  { resources = {} }: JsonObject,
  above: readonly string[],
  path: string,
): Record<string, AdoptedResource> {
  if (!isMap(resources)) throw new InvalidInputError(`Invalid adopt data: ${path} is no map.`);
  if (above.length > MAX_DEPTH)
    throw new InvalidInputError(
      `Invalid adopt data: stacks are more than ${MAX_DEPTH} levels deep below ${above[0] ?? ''}.`,
    );
  const adopted = Object.entries(resources).flatMap(([name, one]): [string, AdoptedResource][] => {
    const own = `${path}.${name}`;
    if (!isMap(one)) throw new InvalidInputError(`Invalid adopt data: ${own} is no map.`);
    const below = belowOf(one, [...above, name], own);
    const { resource_id: id, resource_data: given = {}, metadata } = one;
    const physicalId = typeof id === 'string' && id !== '' ? id : null;
    if (physicalId === null && !below) return [];
    const data: Json = isMap(given) ? given : {};
    return [[name, { physicalId, data, metadata, ...(below ? { below } : {}) }]];
  });
  return Object.fromEntries(adopted);
}

function belowOf(
  one: JsonObject,
  above: readonly string[],
  path: string,
): AdoptedBelow | undefined {
  if (one['resources'] === undefined) return undefined;
  const { template = null } = one;
  return {
    template: isMap(template) ? template : undefined,
    resources: adoptedAt(one, above, `${path}.resources`),
  };
}
