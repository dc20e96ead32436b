import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { newId } from '../database/new-id.js';
import { inferences } from '../role-inferences/role-inferences.service.js';
import type { RoleId } from '../roles/role.entity.js';
import { roles } from '../roles/roles.service.js';
import { INFERENCES, namedIn, ROLES } from './seed.js';

/**
 * Makes those of the roles that services know which are missing, immutable as Keystone's bootstrap
 * makes them, and what they imply. An inference that was removed since stays removed: it is made
 * together with its roles only.
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
