/**
 * Access rules of routes: one decorator on every handler. A handler without one fails the start;
 * the table of routes and roles is generated from them.
 */
import { SetMetadata } from '@nestjs/common';
import type { Role } from '../context/request-context.js';

export interface RoleAccess {
  readonly kind: 'role';
  readonly role: Role;
  /** Further roles, any of which is enough. */
  readonly or?: readonly Role[];
  /** A further rule on the resource that the request names. */
  readonly policy?: ResourcePolicy;
}

export interface ResourcePolicy {
  /** Its name in the matching service: `secret:decrypt`. */
  readonly operation: string;
  /** `member of its project`. */
  readonly personas: readonly string[];
}

export type Access =
  /** Anyone, without a token. */
  | { readonly kind: 'public' }
  /** Any valid token, of any scope. */
  | { readonly kind: 'authenticated' }
  /** A project token with one of these roles, or one that includes it. */
  | RoleAccess
  /** Personas that the service's own policy allows. */
  | { readonly kind: 'policy'; readonly operation: string; readonly personas: readonly string[] };

export const ACCESS = Symbol('cumulet:access');

export const Public = (): MethodDecorator =>
  SetMetadata(ACCESS, { kind: 'public' } satisfies Access);

export const Authenticated = (): MethodDecorator =>
  SetMetadata(ACCESS, { kind: 'authenticated' } satisfies Access);

export const Allow = (role: Role, ...or: readonly Role[]): MethodDecorator =>
  SetMetadata(ACCESS, {
    kind: 'role',
    role,
    ...(or.length > 0 ? { or } : {}),
  } satisfies Access);

export function rolesOf({ role, or = [] }: RoleAccess): readonly Role[] {
  return [role, ...or];
}

/** The roles, or the personas of a policy, that may call a route; empty for a public route. */
export function whoMay(access: Access): readonly string[] {
  switch (access.kind) {
    case 'public':
      return [];
    case 'authenticated':
      return ['any token'];
    case 'role':
      return rolesOf(access);
    case 'policy':
      return access.personas;
  }
}

/** The roles that a role includes. No role includes `service`; other names are free. */
const INCLUDES: ReadonlyMap<string, readonly string[]> = new Map([
  ['admin', ['admin', 'member', 'reader']],
  ['member', ['member', 'reader']],
  ['reader', ['reader']],
  ['service', ['service', 'member', 'reader']],
]);

export function mayCall(roles: readonly string[], access: RoleAccess): boolean {
  return rolesOf(access).some((role) => hasRole(roles, role));
}

export function hasRole(roles: readonly string[], needed: Role): boolean {
  return roles.some((role) => (INCLUDES.get(role) ?? [role]).includes(needed));
}
