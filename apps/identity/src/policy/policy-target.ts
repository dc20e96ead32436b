/**
 * What a request is about, as far as that says who may make it: the things that its path names,
 * with the domain that owns each.
 */

/** A thing that the path names. */
export interface Subject {
  readonly kind: 'user' | 'group' | 'project' | 'domain' | 'role';
  readonly id: string;
  /** The domain that owns it, its own id for a domain; null for a role of all domains. */
  readonly domainId: string | null;
}

export interface PolicyTarget {
  /** Undefined in the place of a thing that does not exist. */
  readonly subjects: readonly (Subject | undefined)[];
  /** The users whose it is: the one in the path, the owner of a credential, both sides of a trust. */
  readonly ownerIds: readonly string[];
  /** What is to be created names this domain, or has it from the caller's token. */
  readonly newIn?: string | undefined;
  /** The global roles that a role in the path amounts to, with all that it implies. */
  readonly grantedRoles: readonly string[];
  /** A role is to hold of projects, by itself or by inheritance. */
  readonly grantsOnProjects: boolean;
}

export const NOTHING: PolicyTarget = {
  subjects: [],
  ownerIds: [],
  grantedRoles: [],
  grantsOnProjects: false,
};
