import { isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import type { Environment } from './environment.js';

export interface Child {
  readonly resource: string;
  readonly parameters: JsonObject;
  /** The resource's registry entry, removed so that its template may use its own type. */
  readonly path: readonly string[];
}

/**
 * The environment of a nested stack. Public source: Heat template guide, "Environments", "Define
 * defaults to parameters", "Restrict update or replace of a given resource".
 */
export function childEnvironment(parent: Environment, child: Child): Environment {
  const registry = withoutEntry(parent.registry, child.path);
  const resources = ownOf(registry, 'resources');
  const below = isMap(resources) ? belowOf(resources, child.resource) : {};
  return { ...parent, parameters: child.parameters, registry: { ...registry, resources: below } };
}

/** The registry's sections for resources within this one; those of wildcards first. */
function belowOf(resources: JsonObject, name: string): JsonObject {
  const matching = Object.entries(resources).filter(([pattern]) => matchesName(pattern, name));
  const own = ownOf(resources, name);
  const entries = [...matching.map(([, entry]) => entry), ...(own === undefined ? [] : [own])];
  const maps = entries.filter(isMap).flatMap((entry) => Object.entries(entry));
  return Object.fromEntries(maps.filter(([, value]) => isMap(value)));
}

function withoutEntry(registry: JsonObject, path: readonly string[]): JsonObject {
  const [first, ...rest] = path;
  if (first === undefined) return registry;
  const kept = Object.entries(registry).flatMap(([key, value]): [string, Json][] => {
    if (key !== first) return [[key, value]];
    return rest.length > 0 && isMap(value) ? [[key, withoutEntry(value, rest)]] : [];
  });
  return Object.fromEntries(kept);
}

export interface EnvironmentPatch {
  readonly existing: Environment;
  readonly given: Environment;
  /** Parameters that return to their defaults. */
  readonly clear: readonly string[];
  /** Parameters of the new template; values of others are dropped. */
  readonly declared: ReadonlySet<string>;
}

/**
 * The environment after an update that only names changes.
 * Public source: Orchestration API reference, "Update stack (PATCH)", clear_parameters.
 */
export function patchedEnvironment(patch: EnvironmentPatch): Environment {
  const { existing, given, clear, declared } = patch;
  const retained = Object.entries(existing.parameters).filter(([name]) => !clear.includes(name));
  const all = Object.entries({ ...Object.fromEntries(retained), ...given.parameters });
  return {
    parameters: Object.fromEntries(all.filter(([name]) => declared.has(name))),
    parameterDefaults: { ...existing.parameterDefaults, ...given.parameterDefaults },
    registry: loaded(existing.registry, given.registry),
    encryptedParamNames: existing.encryptedParamNames,
  };
}

/** Merges a registry into another; null deletes an entry, or all that a wildcard names. */
export function loaded(registry: JsonObject, added: JsonObject): JsonObject {
  let result: Record<string, Json> = { ...registry };
  for (const [key, value] of Object.entries(added)) {
    if (value === null) result = withoutNamed(result, key);
    else {
      const old = ownOf(result, key);
      const entry: [string, Json] = [
        key,
        isMap(value) ? loaded(isMap(old) ? old : {}, value) : value,
      ];
      result = { ...result, ...Object.fromEntries([entry]) };
    }
  }
  return result;
}

function withoutNamed(registry: JsonObject, name: string): Record<string, Json> {
  const isNamed = (key: string, value: Json): boolean =>
    name.endsWith('*')
      ? typeof value === 'string' && key.startsWith(name.slice(0, -1))
      : key === name;
  return Object.fromEntries(
    Object.entries(registry).filter(([key, value]) => !isNamed(key, value)),
  );
}

interface Step {
  readonly isStar: boolean;
  takes(char: string): boolean;
}

/** A shell pattern with `*`, `?`, `[a-c]` and `[!a]`, in time of both lengths' product. */
export function matchesName(pattern: string, name: string): boolean {
  return namePattern(pattern)(name);
}

/** Compiled, for many names. */
export function namePattern(pattern: string): (name: string) => boolean {
  const steps = stepsOf(pattern);
  return (name) => matches(steps, name);
}

function matches(steps: readonly Step[], name: string): boolean {
  let at = 0;
  let star = -1;
  let from = 0;
  for (let index = 0; index < name.length;) {
    const step = steps[at];
    if (step && !step.isStar && step.takes(name.charAt(index))) {
      at += 1;
      index += 1;
    } else if (step?.isStar) {
      [star, from] = [at, index];
      at += 1;
    } else if (star >= 0) {
      from += 1;
      [at, index] = [star + 1, from];
    } else {
      return false;
    }
  }
  return steps.slice(at).every(({ isStar }) => isStar);
}

function stepsOf(pattern: string): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    // A bracket directly after the opening one is a character of the set.
    const end = char === '[' ? pattern.indexOf(']', at + (pattern[at + 1] === '!' ? 3 : 2)) : -1;
    steps.push(end < 0 ? stepOf(char) : setOf(pattern.slice(at + 1, end)));
    if (end >= 0) at = end;
  }
  return steps;
}

function stepOf(char: string): Step {
  const takes = char === '?' ? () => true : (other: string) => other === char;
  return { isStar: char === '*', takes };
}

function setOf(set: string): Step {
  const isNegated = set.startsWith('!');
  const ranges = [...(isNegated ? set.slice(1) : set).matchAll(/(.)-(.)|(.)/gs)].map(
    ([, first, last, one]): [string, string] => [first ?? one ?? '', last ?? one ?? ''],
  );
  const has = (char: string): boolean =>
    ranges.some(([first, last]) => char >= first && char <= last);
  return { isStar: false, takes: (char) => has(char) !== isNegated };
}
