/** Decides between creation, update, replacement and no change for a resource. Pure. */
import type { ResourceType } from '../resource-types/resource-type.js';
import { ownOf } from '../json/json.js';
import { isSame } from '../json/same-json.js';
import type { Frozen } from './stored.js';
import { PropertyError } from '../constraints/property.errors.js';
import { TypedFailure } from '../resource-types/resource-type.errors.js';

export type Decision =
  | { readonly what: 'create' | 'adopt' | 'replace' | 'nothing' }
  | { readonly what: 'update'; readonly changed: ReadonlySet<string> };

export interface CurrentState {
  readonly before: Frozen | undefined;
  readonly physicalId: string | null;
  readonly isFailed: boolean;
  readonly isUnderWay: boolean;
  /** Whether the row's definition has the type that the resource was created with. */
  readonly isSameType: boolean;
  /** The ID of an existing resource that the stack only refers to. */
  readonly externalId: string | undefined;
  /** Whether that ID was looked up in vain. */
  readonly isNotFound: boolean;
}

/**
 * @param externalId from the definition
 * @throws PropertyError for a change of an immutable property
 * @throws TypedFailure for a change to another external ID, or to a resource of the stack's own
 */
export function decide(
  type: ResourceType,
  current: CurrentState,
  wanted: Frozen,
  externalId?: string,
): Decision {
  const { before, physicalId, isFailed } = current;
  if (!before) {
    if (isFailed) return { what: 'replace' };
    return { what: physicalId === null ? 'create' : 'adopt' };
  }
  if (current.externalId !== externalId) requireAnother(type, current, externalId);
  if (externalId !== undefined) return { what: isFailed ? 'replace' : 'nothing' };
  if (!current.isSameType) return { what: 'replace' };
  const changed = changedIn(type, before, wanted);
  requireMutable(type, changed);
  if (isFailed && type.updatesFailed !== true) return { what: 'replace' };
  const isOther =
    !isSame(before.metadata, wanted.metadata) || !isSame(before.updatePolicy, wanted.updatePolicy);
  // A file or the environment can change a nested stack whose properties stay the same.
  const isNested = type.isNested === true && !current.isUnderWay;
  if (changed.size === 0 && !isOther && !isFailed && !isNested) return { what: 'nothing' };
  const isInPlace =
    type.acceptsAnyProperty === true ||
    [...changed].every((name) => type.properties[name]?.updatable === true);
  if (changed.size > 0 && (!isInPlace || !type.update)) return { what: 'replace' };
  return { what: 'update', changed };
}

/** Names of properties that differ; those that the schema no longer has do not count. */
export function changedIn(type: ResourceType, before: Frozen, wanted: Frozen): Set<string> {
  const names = new Set(
    type.acceptsAnyProperty === true
      ? [...Object.keys(before.properties), ...Object.keys(wanted.properties)]
      : Object.keys(type.properties),
  );
  return new Set(
    [...names].filter(
      (name) =>
        !isSame(ownOf(before.properties, name) ?? null, ownOf(wanted.properties, name) ?? null),
    ),
  );
}

function requireMutable(type: ResourceType, changed: ReadonlySet<string>): void {
  for (const name of changed)
    if (type.properties[name]?.immutable === true)
      throw new PropertyError(name, `Update to property ${name} of ${type.name} is not supported`);
}

/** Only an ID that was not found may change: otherwise the stack would lose track of its resource. */
function requireAnother(type: ResourceType, current: CurrentState, externalId?: string): void {
  if (current.isNotFound && externalId !== undefined) return;
  throw new TypedFailure(
    'NotSupported',
    `Update to property external_id of ${type.name} is not supported.`,
  );
}
