/**
 * The dependencies of resources: explicit ones, those of functions, and those that types add.
 *
 * Always holds: each requirement is a resource of the template whose condition holds, and there are no
 * cycles.
 */
import { stringifyExact } from '../json/exact-json.js';
import { ALL_ATTRIBUTES } from './expression.js';
import type { ResourceDefinition } from './read-template.js';
import type { PlacedReference } from './references-of.js';
import type { ResourceSnippet } from './resource-snippets.js';
import {
  CircularDependencyExceptionError,
  InvalidExternalResourceDependencyError,
  InvalidTemplateAttributeError,
  InvalidTemplateReferenceError,
} from './template.errors.js';
import type { TypeFact } from './type-facts.js';

const SHOW = 'show';

/**
 * The explicit dependencies of a resource: sorted names, each once.
 *
 * @param declared names of all resources, including those whose condition does not hold
 * @throws InvalidTemplateReferenceError, InvalidExternalResourceDependencyError
 */
export function ownRequirements(
  snippet: ResourceSnippet,
  references: readonly PlacedReference[],
  { declared, enabled }: { declared: ReadonlySet<string>; enabled: ReadonlySet<string> },
  dependsOnKey: string,
): readonly string[] {
  const { dependsOn, path, type, externalId } = snippet;
  if (externalId !== undefined) {
    if (dependsOn.length > 0) {
      const id = externalId.kind === 'value' ? stringifyExact(externalId.value) : type;
      throw new InvalidExternalResourceDependencyError(type, id);
    }
    return [];
  }
  const unknown = dependsOn.find((name) => !declared.has(name));
  if (unknown !== undefined)
    throw new InvalidTemplateReferenceError(unknown, `${path}.${dependsOnKey}`);
  const names = [...dependsOn, ...references.map(({ resource }) => resource)];
  return [...new Set(names)].filter((name) => enabled.has(name));
}

/**
 * @throws InvalidTemplateReferenceError for a missing resource, or one whose condition does not hold
 */
export function checkReferences(
  references: readonly PlacedReference[],
  enabled: ReadonlySet<string>,
): void {
  const unknown = references.find(({ resource }) => !enabled.has(resource));
  if (unknown !== undefined)
    throw new InvalidTemplateReferenceError(unknown.resource, `${unknown.path}.${unknown.name}`);
}

/** @throws InvalidTemplateAttributeError for an attribute that the resource's type does not have */
export function checkAttributes(
  references: readonly PlacedReference[],
  factOf: (resource: string) => TypeFact | undefined,
): void {
  for (const { resource, attribute, path, name } of references) {
    if (attribute === undefined || attribute === ALL_ATTRIBUTES || attribute === SHOW) continue;
    const fact = factOf(resource);
    const isKnown =
      fact === undefined ||
      Object.hasOwn(fact.attributes, attribute) ||
      fact.isAttribute?.(attribute);
    if (!isKnown) throw new InvalidTemplateAttributeError(resource, attribute, `${path}.${name}`);
  }
}

/** Adds those of types. @throws CircularDependencyExceptionError naming the cycle */
export function withImplicitRequirements(
  definitions: Readonly<Record<string, ResourceDefinition>>,
  factOf: (resource: string) => TypeFact | undefined,
): Readonly<Record<string, ResourceDefinition>> {
  const entries = Object.entries(definitions).map(([name, one]): [string, ResourceDefinition] => {
    const implicit =
      one.externalId === undefined ? factOf(name)?.implicitRequires?.(one, definitions) : undefined;
    const known = (implicit ?? []).filter((other) => Object.hasOwn(definitions, other));
    return [name, { ...one, requires: [...new Set([...one.requires, ...known])] }];
  });
  const cycle = findCycle(new Map(entries.map(([name, { requires }]) => [name, requires])));
  if (cycle !== undefined) throw new CircularDependencyExceptionError(cycle);
  return Object.fromEntries(entries);
}

/**
 * Finds a cycle of dependencies, iteratively because a chain may be long.
 *
 * @param requires by name; names that do not exist are ignored
 * @returns names in order, the first of which is also the last; undefined if there is no cycle
 */
export function findCycle(
  requires: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const done = new Set<string>();
  for (const start of requires.keys()) {
    /** The path from the start, with the number of requirements of each that were visited. */
    const way: { readonly name: string; next: number }[] = [{ name: start, next: 0 }];
    const onWay = new Set([start]);
    for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
      const required = done.has(here.name) ? undefined : requires.get(here.name)?.[here.next];
      here.next += 1;
      if (required === undefined) {
        done.add(here.name);
        onWay.delete(here.name);
        way.pop();
      } else if (onWay.has(required)) {
        const names = way.map(({ name }) => name);
        return [...names.slice(names.indexOf(required)), required];
      } else if (!done.has(required)) {
        onWay.add(required);
        way.push({ name: required, next: 0 });
      }
    }
  }
  return undefined;
}
