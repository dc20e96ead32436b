/**
 * The environment of the stack below a resource. Public source: Heat template guide, "Environments",
 * "Define defaults to parameters", "Restrict update or replace of a given resource".
 */
import { isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import type { Environment } from './environment.js';
import { matchesName } from './name-patterns.js';

export interface Child {
  readonly resource: string;
  readonly parameters: JsonObject;
  /** `Found.path` of the resource, so that a template that has its own type in it is not made of itself. */
  readonly path: readonly string[];
}

export function childEnvironment(parent: Environment, child: Child): Environment {
  const registry = without(parent.registry, child.path);
  const resources = ownOf(registry, 'resources');
  const below = isMap(resources) ? belowOf(resources, child.resource) : {};
  return { ...parent, parameters: child.parameters, registry: { ...registry, resources: below } };
}

/** What the registry says of resources within this one; of wildcards first. */
function belowOf(resources: JsonObject, name: string): JsonObject {
  const matching = Object.entries(resources).filter(([pattern]) => matchesName(pattern, name));
  const own = ownOf(resources, name);
  const entries = [...matching.map(([, entry]) => entry), ...(own === undefined ? [] : [own])];
  const maps = entries.filter(isMap).flatMap((entry) => Object.entries(entry));
  return Object.fromEntries(maps.filter(([, value]) => isMap(value)));
}

function without(registry: JsonObject, path: readonly string[]): JsonObject {
  const [first, ...rest] = path;
  if (first === undefined) return registry;
  const kept = Object.entries(registry).flatMap(([key, value]): [string, Json][] => {
    if (key !== first) return [[key, value]];
    return rest.length > 0 && isMap(value) ? [[key, without(value, rest)]] : [];
  });
  return Object.fromEntries(kept);
}
