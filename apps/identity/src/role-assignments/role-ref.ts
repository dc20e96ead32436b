/** Roles as those name them who pass some of theirs on: by a trust, by an application credential. */
import { InvalidInputError, type DomainError } from '@cumulet/common/errors/domain-error';
import { StringField } from '@cumulet/common/http/fields';

/** A role by its id or by its name, by one of them. */
export class RoleRefDto {
  @StringField({ optional: true, max: 64 })
  id?: string;

  @StringField({ optional: true })
  name?: string;
}

/**
 * Those of the roles that a client names, each once.
 * @param missing makes the error about one that is not among them, from its id or name
 * @throws InvalidInputError for a reference that is neither an id nor a name, or both
 */
export function chosenRoles<T extends { readonly id: string; readonly name: string }>(
  available: readonly T[],
  wanted: readonly RoleRefDto[],
  missing: (role: string) => DomainError,
): T[] {
  const chosen = wanted.map(({ id, name }) => {
    if ((id === undefined) === (name === undefined))
      throw new InvalidInputError('Invalid input: each of roles must have either an id or a name.');
    const found = available.find((role) =>
      id === undefined ? role.name === name : role.id === id,
    );
    if (!found) throw missing(id ?? name ?? '');
    return found;
  });
  return [...new Set(chosen)];
}
