/** What an update changes of a resource's properties, and what that takes. */
import { isSame } from '../../json/same-json.js';
import type { Properties, PropertySchemas } from '../../constraints/property-schema.js';

export interface PropertyChanges {
  readonly changed: ReadonlySet<string>;
  /** Of these, those for which the resource is replaced. */
  readonly replacing: readonly string[];
  /** Of these, those that may never change. */
  readonly refused: readonly string[];
}

/**
 * Names of properties that differ. What the schemata no longer have does not count.
 * @param before as the resource was last settled
 * @param after of `resolveProperties`
 */
export function changedProperties(
  schemas: PropertySchemas,
  before: Properties,
  after: Properties,
): PropertyChanges {
  const changed = Object.entries(schemas).filter(
    ([name]) => !isSame(before[name] ?? null, after[name] ?? null),
  );
  const refused = changed.filter(([, { immutable }]) => immutable);
  const replacing = changed.filter(([, { immutable, updatable }]) => !immutable && !updatable);
  return {
    changed: new Set(namesOf(changed)),
    replacing: namesOf(replacing),
    refused: namesOf(refused),
  };
}

function namesOf(entries: readonly (readonly [string, unknown])[]): readonly string[] {
  return entries.map(([name]) => name);
}
