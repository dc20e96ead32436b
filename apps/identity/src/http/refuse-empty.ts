import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { Extra } from './resource-options.js';

/**
 * A change must name something, as in Keystone.
 * @throws InvalidInputError
 */
export function refuseEmpty(kind: string, change: { readonly extra?: Extra | undefined }): void {
  const { extra = {}, ...fields } = change;
  const named = [...Object.values(fields), ...Object.values(extra)];
  if (named.every((value) => value === undefined))
    throw new InvalidInputError(`Invalid input: ${kind} must name what is to be changed.`);
}
