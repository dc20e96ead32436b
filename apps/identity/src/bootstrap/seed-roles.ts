import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { newId } from '../database/new-id.js';
import { inferences } from '../role-inferences/role-inferences.service.js';
import type { RoleId } from '../roles/role.entity.js';
import { roles } from '../roles/roles.service.js';
import { INFERENCES, namedIn, ROLES } from './seed.js';

/**
 * Creates the missing ones of the roles that services know, immutable as in Keystone's bootstrap,
 * and what they imply. A removed inference stays removed: it is only created together with its
 * roles.
 * @returns the roles' ids by name
 */
export async function ensureRoles(ctx: RequestContext): Promise<ReadonlyMap<string, RoleId>> {
  const rows = Object.entries(ROLES).map(([name, description]) => {
    return { id: newId<RoleId>(), name, description, options: { immutable: true } };
  });
  const made = await roles.insertAll(ctx, rows, { exceptTaken: true });
  const names = rows.map(({ name }) => name);
  const known = await roles.select(ctx, [equals('domainId', null), oneOf('name', names)]);
  const ids = new Map(known.map(({ id, name }) => [name, id]));
  const wanted = INFERENCES.filter((pair) => made.some(({ name }) => pair.includes(name)));
  await inferences.insertAll(
    ctx,
    wanted.map(([prior, implied]) => ({
      priorRoleId: namedIn(ids, prior),
      impliedRoleId: namedIn(ids, implied),
    })),
    { exceptTaken: true },
  );
  return ids;
}
