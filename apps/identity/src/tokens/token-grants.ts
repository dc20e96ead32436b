/**
 * The rights of a new token, from the caller's identity and the requested scope.
 *
 * Always holds: no token exceeds its proof. A credential gives its own project, a trust the roles that
 * its trustor still has, and a system token no project.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  DomainError,
  ForbiddenError,
  UnauthenticatedError,
  forbidden,
} from '@cumulet/common/errors/domain-error';
import type { LoginCredential } from '../application-credentials/application-credential.repository.js';
import { trusts } from '../trusts/trust.repository.js';
import { users, type Account } from '../users/user.repository.js';
import type { Identified } from './auth-request.js';
import { scopes, type Scope, type ScopeRequest } from '../roles/scope.repository.js';
import type { Token } from './token.js';

export interface TokenGrant extends Pick<Token, 'user' | 'scope' | 'delegation'> {
  /** The token must not outlive this. */
  readonly notAfter?: Date | null;
}

/** A delegate must not obtain more than it was given. */
export class RescopingForbiddenError extends forbidden(
  (what: string) => `You are not authorized to perform the requested action: ${what}.`,
) {}

type Prover = Pick<Identified, 'account' | 'credential' | 'parent'>;

/**
 * @throws UnauthenticatedError for a scope on which the user has no role
 * @throws ForbiddenError for a scope that its proof must not be used for
 */
export async function grantOf(
  ctx: RequestContext,
  identified: Prover,
  requested: ScopeRequest,
): Promise<TokenGrant> {
  const { account: user, credential, parent } = identified;
  if (credential) return ofCredential(ctx, identified, credential, requested);
  if (requested.kind === 'trust') return ofTrust(ctx, user, requested.trustId);
  if (parent?.scope === 'system' && (requested.kind === 'project' || requested.kind === 'domain')) {
    throw new RescopingForbiddenError(
      'Using a system-scoped token to create a project-scoped or domain-scoped token is not allowed',
    );
  }
  const scope = await scopeOf(ctx, user, requested);
  if (!scope) throw new UnauthenticatedError();
  return { user, scope };
}

async function scopeOf(
  ctx: RequestContext,
  { id: userId, defaultProjectId }: Account,
  requested: Exclude<ScopeRequest, { kind: 'trust' }>,
): Promise<Scope | undefined> {
  if (requested.kind !== 'default') return scopes.find(ctx, userId, requested);
  if (defaultProjectId === null) return { kind: 'unscoped' };
  // An unusable default project must not lock its user out.
  const scope = await scopes.project(ctx, userId, { id: defaultProjectId });
  return scope ?? { kind: 'unscoped' };
}

async function ofCredential(
  ctx: RequestContext,
  { account: user, parent }: Prover,
  credential: LoginCredential,
  requested: ScopeRequest,
): Promise<TokenGrant> {
  if (requested.kind !== 'default') {
    // It is valid for its own project only, whatever else its user has.
    if (!parent)
      throw new DomainError('unauthenticated', 'Application credentials cannot request a scope.');
    throw new RescopingForbiddenError(
      'Using an application credential token to create a scoped token is not allowed',
    );
  }
  const { id, name, projectId, unrestricted, hasRules, expiresAt } = credential;
  const roles = credential.roles.map((role) => role.id);
  const scope = await scopes.project(ctx, user.id, { id: projectId }, roles);
  if (!scope) throw new UnauthenticatedError();
  const accessRules = hasRules ? credential.accessRules : undefined;
  const delegation = {
    kind: 'application-credential',
    id,
    name,
    unrestricted,
    accessRules,
  } as const;
  return { user, scope, delegation, notAfter: expiresAt };
}

async function ofTrust(
  ctx: RequestContext,
  trustee: Account,
  trustId: string,
): Promise<TokenGrant> {
  const trust = await trusts.findUsable(ctx, trustId);
  if (!trust?.isChainEnabled) throw new UnauthenticatedError();
  if (trust.trusteeUserId !== trustee.id) throw new ForbiddenError('User is not a trustee.');
  const trustor = await users.findAccount(ctx, { id: trust.trustorUserId });
  if (!trustor || trust.projectId === null) throw new UnauthenticatedError();
  const roles = trust.roles.map((role) => role.id);
  const scope = await scopes.project(ctx, trust.grantorId, { id: trust.projectId }, roles);
  if (!scope) throw new ForbiddenError('Trustee has no delegated roles.');
  if (!(await trusts.consume(ctx, trust.id))) throw new UnauthenticatedError();
  const { id, impersonation, expiresAt, intermediaryIds } = trust;
  const parties = { trustorId: trustor.id, trusteeId: trustee.id, intermediaryIds };
  return {
    user: impersonation ? trustor : trustee,
    scope,
    delegation: { kind: 'trust', id, ...parties, impersonation },
    notAfter: expiresAt,
  };
}
