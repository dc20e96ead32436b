/** Parameters that a stack's updates leave as they are. */
import type { ReadParameter } from '../read-template.js';
import { isSame } from '../../json/same-json.js';
import { ImmutableParameterModifiedError } from '../template.errors.js';

/**
 * Heat template guide, "Parameters section", `immutable`: by the new template, of parameters that the
 * old one has too.
 * @throws ImmutableParameterModifiedError naming all that would change
 */
export function refuseImmutableChanges(
  before: readonly ReadParameter[],
  after: readonly ReadParameter[],
): void {
  const old = new Map(before.map((one) => [one.name, one]));
  const changed = after.filter(({ name, immutable, value }) => {
    const previous = old.get(name);
    return immutable && previous !== undefined && !isSame(previous.value, value);
  });
  if (changed.length > 0)
    throw new ImmutableParameterModifiedError(changed.map(({ name }) => name));
}
