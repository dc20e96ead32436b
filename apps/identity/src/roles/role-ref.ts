import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError, type DomainError } from '@cumulet/common/errors/domain-error';
import { StringField } from '@cumulet/common/http/fields';
import { scopes, type GrantedRole } from './scope.repository.js';

/** An ID or a name, but not both. */
export class RoleRefDto {
  @StringField({ optional: true, max: 64 })
  id?: string;

  @StringField({ optional: true })
  name?: string;
}

/**
 * The roles that a client names, each once.
 * @param missing makes the error for a named role that is not among them, from its id or name
 * @throws InvalidInputError for a reference with neither an id nor a name, or with both
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

/**
 * The roles on a project that the caller may delegate: in person, the present ones on any project;
 * with a delegated token, those of the token on its own project that are still held.
 */
export async function ownRoles(
  ctx: RequestContext,
  projectId: string,
): Promise<readonly GrantedRole[]> {
  const scope = await scopes.project(ctx, ctx.userId, { id: projectId });
  const { roles = [] } = scope ?? {};
  if (ctx.fields.delegation === undefined) return roles;
  if (ctx.fields.projectId !== projectId) return [];
  return roles.filter(({ name }) => ctx.roles.includes(name));
}
