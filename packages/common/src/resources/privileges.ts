/** Checks privileges on attributes that a resource's owner may not set or see. */
import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '../context/request-context.js';
import type { Privilege } from './attribute.js';
import { PolicyNotAuthorizedError } from './resource.errors.js';
import { attributesOf, type Resource } from './resource.js';

type Caller = Pick<RequestContext, 'isAdmin' | 'isService' | 'roles'>;

/** @param ownsParent whether the caller owns the parent resource */
export function isPrivileged(ctx: Caller, needed: Privilege, ownsParent = false): boolean {
  switch (needed) {
    case 'admin':
      return ctx.isAdmin;
    case 'manager':
      return ctx.isAdmin || ctx.roles.includes('manager');
    case 'service':
      return ctx.isAdmin || ctx.isService;
    case 'parent-owner':
      return ctx.isAdmin || ctx.isService || ownsParent;
  }
}

/**
 * Refuses attributes that the caller may not set; default values are allowed.
 * @param verb `create` or `update`
 * @throws PolicyNotAuthorizedError naming the rule: `create_network:shared`
 */
export function refuseUnprivileged(
  ctx: Caller,
  resource: Resource<object>,
  verb: 'create' | 'update',
  body: object,
  ownsParent = false,
): void {
  const given = body as Readonly<Record<string, unknown>>;
  for (const [name, attribute, key] of attributesOf(resource)) {
    const { writers } = attribute;
    if (!writers || given[key] === undefined) continue;
    if (verb === 'create' && isDeepStrictEqual(given[key], attribute.default)) continue;
    if (!isPrivileged(ctx, writers, ownsParent))
      throw new PolicyNotAuthorizedError(`${verb}_${resource.singular}:${name}`);
  }
}
