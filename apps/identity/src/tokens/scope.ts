/** What a token is good for: a project, a domain, the system, or nothing but to ask for another. */
import type { DomainId, ProjectId } from '@cumulet/common/context/ids';
import type { DomainRef, OwnedRef } from '../database/owned-ref.js';
import type { RoleId } from '../roles/role.entity.js';

/** The scope that a request asks for. */
export type ScopeRequest =
  /** None was named: the user's default project where it can be had, else unscoped. */
  | { readonly kind: 'default' }
  | { readonly kind: 'unscoped' }
  | { readonly kind: 'project'; readonly project: OwnedRef }
  | { readonly kind: 'domain'; readonly domain: DomainRef }
  | { readonly kind: 'system' }
  | { readonly kind: 'trust'; readonly trustId: string };

export interface Named<T extends string> {
  readonly id: T;
  readonly name: string;
}

export type GrantedRole = Named<RoleId>;

/** The scope that a token has, with the roles that its user has there; never without one. */
export type Scope =
  | { readonly kind: 'unscoped' }
  | {
      readonly kind: 'project';
      readonly project: Named<ProjectId>;
      readonly domain: Named<DomainId>;
      readonly roles: readonly GrantedRole[];
    }
  | {
      readonly kind: 'domain';
      readonly domain: Named<DomainId>;
      readonly roles: readonly GrantedRole[];
    }
  | { readonly kind: 'system'; readonly roles: readonly GrantedRole[] };
