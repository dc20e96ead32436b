/**
 * Kinds of callers, each a pure test of the caller and of the target of the request. Public source:
 * Keystone administrator guide, "Default Roles" and "API Protection with Role-Based Access Control".
 */
import { hasRole } from '@cumulet/common/auth/access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { isRestricted, scopeDomainOf } from './caller.js';
import type { PolicyTarget } from './policy-target.js';

export interface Persona {
  /** As the generated table of routes shows it. */
  readonly name: string;
  readonly is: (caller: RequestContext, target: PolicyTarget) => boolean;
}

const isOfSystem = ({ fields }: RequestContext): boolean =>
  fields.projectId === undefined && fields.domainId === undefined;

/** `admin` on a project works across projects; on a domain it covers no other domain. */
export const cloudAdmin: Persona = {
  name: 'cloud admin',
  is: (caller) => caller.isAdmin && scopeDomainOf(caller) === undefined,
};

export const systemReader: Persona = {
  name: 'system reader',
  is: (caller) => isOfSystem(caller) && hasRole(caller.roles, 'reader'),
};

export const domainAdmin: Persona = {
  name: 'domain admin',
  is: (caller, target) => caller.isAdmin && isWithinDomain(caller, target),
};

export const domainReader: Persona = {
  name: 'domain reader',
  is: (caller, target) => hasRole(caller.roles, 'reader') && isWithinDomain(caller, target),
};

/**
 * A domain's administrator hands out no role that reaches beyond its domain: `admin` on a project
 * is an administrator of the cloud, and `service` reads everybody's tokens.
 */
export const domainGrantor: Persona = {
  name: 'domain admin, for roles that stay within the domain',
  is: (caller, target) =>
    domainAdmin.is(caller, target) &&
    !target.grantedRoles.includes('service') &&
    !(target.grantedRoles.includes('admin') && target.grantsOnProjects),
};

export const projectAdmin: Persona = {
  name: 'project admin',
  is: (caller, target) => caller.isAdmin && isOfProject(caller, target),
};

export const projectUser: Persona = { name: 'project user', is: isOfProject };

/** With a token of the domain, or of a project in it. */
export const domainUser: Persona = {
  name: 'domain user',
  is: ({ fields }, { subjects }) =>
    subjects.some((one) => one?.kind === 'domain' && one.id === fields.domainId),
};

/** The user that the request is about, in person or by any delegation. */
export const owner: Persona = {
  name: 'owner',
  is: ({ userId }, { ownerIds }) => ownerIds.includes(userId),
};

/**
 * A caller that acts for a user by delegation must not create further ways to do so: they would
 * outlive what it was given.
 */
export const ownerInPerson: Persona = {
  name: 'owner in person',
  is: (caller, target) => owner.is(caller, target) && !isRestricted(caller),
};

/** A caller that acts for a user by a trust must not see what else the user has delegated. */
export const ownerOutsideTrust: Persona = {
  name: 'owner, not by a trust',
  is: (caller, target) => owner.is(caller, target) && caller.fields.delegation?.kind !== 'trust',
};

/** In person, or by a trust: access keys that a trust creates end with it. */
export const ownerOrTrustee: Persona = {
  name: 'owner or trustee',
  is: (caller, target) =>
    owner.is(caller, target) &&
    (caller.fields.delegation?.kind === 'trust' || !isRestricted(caller)),
};

/** The terms of a trust say whether it may be redelegated. */
export const trustor: Persona = {
  name: 'owner, in person or by a trust that may be passed on',
  is: (caller, target) => ownerOrTrustee.is(caller, target),
};

export const inPerson: Persona = {
  name: 'any token in person',
  is: (caller) => !isRestricted(caller),
};

export const service: Persona = { name: 'service', is: ({ isService }) => isService };

/**
 * A service that has its role on the domain itself, which only the bootstrap gives. It may learn that
 * something does not exist, so that it can delete twice.
 */
export const domainService: Persona = {
  name: 'service of the domain',
  is: (caller, target) => {
    const subjects = target.subjects.filter((one) => one !== undefined);
    return caller.isService && isWithinDomain(caller, { ...target, subjects });
  },
};

/** The same service, for the role of stacks' users alone: it means nothing to any service. */
export const domainServiceGrantor: Persona = {
  name: 'service of the domain, for the role of users of stacks',
  is: (caller, target) =>
    domainService.is(caller, target) &&
    target.grantedRoles.length > 0 &&
    target.grantedRoles.every((role) => role === 'heat_stack_user'),
};

/** An unscoped token can only be exchanged for another. */
export const scoped: Persona = {
  name: 'any scoped token',
  is: ({ roles, fields }) =>
    roles.length > 0 || fields.projectId !== undefined || fields.domainId !== undefined,
};

export const anyone: Persona = { name: 'any token', is: () => true };

/** Everything that the request names is owned by the domain of the token, or by none. */
function isWithinDomain(caller: RequestContext, { subjects, newIn }: PolicyTarget): boolean {
  const domainId = scopeDomainOf(caller);
  if (domainId === undefined) return false;
  const isOurs = subjects.every(
    (one) => one !== undefined && (one.domainId === domainId || one.domainId === null),
  );
  return isOurs && (newIn === undefined || newIn === domainId);
}

function isOfProject({ fields }: RequestContext, { subjects }: PolicyTarget): boolean {
  return (
    fields.projectId !== undefined &&
    subjects.some((one) => one?.kind === 'project' && one.id === fields.projectId)
  );
}
