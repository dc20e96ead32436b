/** Who may set and see the attributes that a resource's owner may not. */
import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Privilege } from './attribute.js';
import { PolicyNotAuthorizedError } from './resource.errors.js';
import { attributesOf, type Resource } from './resource.js';

type Caller = Pick<RequestContext, 'isAdmin' | 'isService' | 'roles'>;

/** @param ownsNetwork whether the network that it is about is the caller's */
export function isPrivileged(ctx: Caller, needed: Privilege, ownsNetwork = false): boolean {
  switch (needed) {
    case 'admin':
      return ctx.isAdmin;
    case 'manager':
      return ctx.isAdmin || ctx.roles.includes('manager');
    case 'service':
      return ctx.isAdmin || ctx.isService;
    case 'network-owner':
      return ctx.isAdmin || ctx.isService || ownsNetwork;
  }
}

/**
 * Refuses what the caller may not set. The default may be named by anyone.
 * @param verb `create` or `update`
 * @throws PolicyNotAuthorizedError naming Neutron's rule: `create_network:shared`
 */
export function refuseUnprivileged(
  ctx: Caller,
  resource: Resource<object>,
  verb: 'create' | 'update',
  body: object,
  ownsNetwork = false,
): void {
  const given = body as Readonly<Record<string, unknown>>;
  for (const [name, attribute] of attributesOf(resource)) {
    const { writers } = attribute;
    if (!writers || given[name] === undefined) continue;
    if (verb === 'create' && isDeepStrictEqual(given[name], attribute.default)) continue;
    if (!isPrivileged(ctx, writers, ownsNetwork))
      throw new PolicyNotAuthorizedError(`${verb}_${resource.singular}:${name}`);
  }
}
