/**
 * The implementation of a resource by the environment's registry. Public source: Heat template guide,
 * "Environments", resource_registry.
 *
 * Always holds: entries for a resource precede those for its type; an entry that leads nowhere is
 * ignored, and a loop is refused.
 */
import { isMap, ownOf, type JsonObject } from '../../json/json.js';
import type { Implementation } from '../read-template.js';
import { ResourceTypeUnavailableError, StackValidationFailedError } from '../template.errors.js';
import { loaded, namePattern } from './derived-environment.js';
import { HOOKS, RESTRICTED_ACTIONS, wordsAt, type WordsKey } from './environment.js';

export interface RegistryParts {
  readonly registry: JsonObject;
  readonly isType: (name: string) => boolean;
  readonly files: Readonly<Record<string, string>>;
  /** Whether types of services that this cloud does not have are accepted as unknown types. */
  readonly allowsUnavailable?: boolean | undefined;
}

/** Services that this cloud does not have, by the second part of Heat's type names. */
const UNAVAILABLE = new Set([
  'Aodh',
  'Blazar',
  'Cinder',
  'Designate',
  'Ironic',
  'Manila',
  'Mistral',
  'Monasca',
  'Sahara',
  'Senlin',
  'Trove',
  'Vitrage',
  'Zaqar',
  'Zun',
]);

/** An entry for resources by name, with wildcards. */
interface ResourcePattern {
  readonly matches: (name: string) => boolean;
  readonly entry: JsonObject;
}

interface Entry {
  /** Keys below the registry. */
  readonly path: readonly string[];
  /** Its value; the name itself if it is that of a template. */
  readonly value: string;
}

export interface Found {
  readonly implementation: Implementation;
  /** The registry's entry with the template; empty if there is none. */
  readonly path: readonly string[];
}

export class ResourceRegistry {
  readonly #registry: JsonObject;
  readonly #resources: JsonObject;
  readonly #wildcards: readonly (readonly [name: string, value: string])[];
  readonly #patterns: readonly ResourcePattern[];

  constructor(private readonly parts: RegistryParts) {
    this.#registry = loaded({}, parts.registry);
    const resources = ownOf(this.#registry, 'resources');
    this.#resources = isMap(resources) ? resources : {};
    this.#wildcards = Object.entries(this.#registry).filter(
      (one): one is [string, string] => one[0].endsWith('*') && typeof one[1] === 'string',
    );
    this.#patterns = Object.entries(this.#resources).flatMap(([pattern, entry]) =>
      isMap(entry) ? { matches: namePattern(pattern), entry } : [],
    );
  }

  /**
   * @param resource its name in the template; absent if only a type is looked up
   * @throws StackValidationFailedError for an unknown type, a template that is not among the files, or
   * a loop
   * @throws ResourceTypeUnavailableError for a type of a missing service
   */
  implementationOf(type: string, resource?: string): Implementation {
    return this.find(type, resource).implementation;
  }

  /** As `implementationOf`, with the entry that decided. */
  find(type: string, resource?: string): Found {
    const found = this.#follow(type, resource, []);
    if (!found) return this.#withoutService(type);
    const { implementation } = found;
    if (
      implementation.kind === 'template' &&
      ownOf(this.parts.files, implementation.file) === undefined
    )
      throw new StackValidationFailedError(
        `Failed to retrieve template data: ${implementation.file} is not among the files of the request.`,
      );
    return found;
  }

  /** Such as `pre-create`. */
  hooksOf(resource: string): readonly string[] {
    return this.#wordsOf(resource, 'hooks', HOOKS);
  }

  /** `update` and `replace`. */
  restrictedActionsOf(resource: string): readonly string[] {
    return this.#wordsOf(resource, 'restricted_actions', RESTRICTED_ACTIONS);
  }

  #withoutService(type: string): Found {
    const [vendor, service = ''] = type.split('::');
    if (vendor !== 'OS' || !UNAVAILABLE.has(service))
      throw new StackValidationFailedError(`The Resource Type (${type}) could not be found.`);
    if (!this.parts.allowsUnavailable)
      throw new ResourceTypeUnavailableError(service.toLowerCase(), type);
    return { implementation: { kind: 'type', type }, path: [] };
  }

  #follow(
    type: string,
    resource: string | undefined,
    before: readonly string[],
  ): Found | undefined {
    if (before.includes(type))
      throw new StackValidationFailedError(
        `resource_registry leads from ${type} back to it: ${[...before, type].join(' -> ')}`,
      );
    for (const entry of this.#entriesOf(type, resource)) {
      const found = isTemplate(entry.value)
        ? templateOf(entry)
        : this.#follow(targetOf(entry, type), resource, [...before, type]);
      if (found) return found;
    }
    return this.parts.isType(type)
      ? { implementation: { kind: 'type', type }, path: [] }
      : undefined;
  }

  /** In Heat's order of precedence. */
  #entriesOf(type: string, resource: string | undefined): readonly Entry[] {
    if (isTemplate(type)) return [{ path: [type], value: type }];
    const own = resource === undefined ? undefined : ownOf(this.#resources, resource);
    const special = isMap(own) ? ownOf(own, type) : undefined;
    const same = ownOf(this.#registry, type);
    const general = this.#wildcards
      .filter(([name, value]) => name === type || isWildcardOf(name, value, type))
      .concat(typeof same === 'string' && !type.endsWith('*') ? [[type, same]] : [])
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]): Entry => ({ path: [name], value }));
    return typeof special === 'string' && resource !== undefined
      ? [{ path: ['resources', resource, type], value: special }, ...general]
      : general;
  }

  #wordsOf(resource: string, key: WordsKey, known: readonly string[]): readonly string[] {
    const words = this.#patterns.flatMap(({ matches, entry }) =>
      matches(resource) ? wordsAt(entry, key) : [],
    );
    return known.filter((word) => words.includes(word));
  }
}

export function isTemplate(name: string): boolean {
  return name.endsWith('.yaml') || name.endsWith('.template');
}

function templateOf({ path, value }: Entry): Found {
  return { implementation: { kind: 'template', file: value }, path };
}

/** A wildcard does not map a type to itself. */
function isWildcardOf(name: string, value: string, type: string): boolean {
  return name.endsWith('*') && type !== value && type.startsWith(name.slice(0, -1));
}

function targetOf({ path, value }: Entry, type: string): string {
  const name = path.at(-1) ?? '';
  if (!name.endsWith('*') || !value.endsWith('*')) return value;
  return value.slice(0, -1) + type.slice(name.length - 1);
}
