/** Errors that would tell what a parameter hides. */
import type { DomainError } from '@cumulet/common/errors/domain-error';
import { arrivedError, carriedError } from '../carried-error.js';
import type { HiddenValues } from './hidden-values.js';

/** The same error, without what nobody is to read. */
export function errorWithout(error: DomainError, hidden: HiddenValues): DomainError {
  const { message, fields, ...rest } = carriedError(error);
  const said = Object.entries(fields).map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'string' ? hidden.without(value) : value,
  ]);
  return arrivedError({
    ...rest,
    message: hidden.without(message),
    fields: Object.fromEntries(said),
  });
}
