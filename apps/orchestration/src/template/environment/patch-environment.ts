/**
 * A stack's environment after an update that only names what it changes. Public source: Orchestration
 * API reference, "Update stack (PATCH)", clear_parameters.
 */
import { isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import type { Environment } from './environment.js';

export interface EnvironmentPatch {
  readonly existing: Environment;
  /** Of the request. */
  readonly given: Environment;
  /** Parameters that go back to their defaults. */
  readonly clear: readonly string[];
  /** Parameters of the new template: values of others are dropped. */
  readonly declared: ReadonlySet<string>;
}

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

/** A registry with another loaded over it: what is null goes, with all that a wildcard names. */
export function loaded(registry: JsonObject, added: JsonObject): JsonObject {
  let result: Record<string, Json> = { ...registry };
  for (const [key, value] of Object.entries(added)) {
    if (value === null) result = without(result, key);
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

function without(registry: JsonObject, name: string): Record<string, Json> {
  const isNamed = (key: string, value: Json): boolean =>
    name.endsWith('*')
      ? typeof value === 'string' && key.startsWith(name.slice(0, -1))
      : key === name;
  return Object.fromEntries(
    Object.entries(registry).filter(([key, value]) => !isNamed(key, value)),
  );
}
