/**
 * From the wire to what authentication works with, where the rules span several fields. A field's
 * own type and length are the DTO's business.
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { DomainRef, OwnedRef } from '../database/owned-ref.js';
import type { ScopeRequest } from './scope.js';
import type { AuthMethod } from './token.js';
import type { AuthDto, DomainRefDto, IdentityDto, ProjectRefDto, ScopeDto } from './token.dto.js';
import { AuthMethodNotSupportedError } from './token.errors.js';

export type Proof =
  | { readonly method: 'password'; readonly user: OwnedRef; readonly password: string }
  | { readonly method: 'token'; readonly token: string };

export interface AuthRequest {
  /** At least one; all of them must be of the same user. */
  readonly proofs: readonly Proof[];
  readonly scope: ScopeRequest;
}

const METHODS: readonly string[] = ['password', 'token'] satisfies AuthMethod[];

/**
 * @throws InvalidInputError naming the field that is missing or contradicts another
 * @throws AuthMethodNotSupportedError for a method that is not offered
 */
export function readAuthRequest(auth: AuthDto): AuthRequest {
  return { proofs: readProofs(auth.identity), scope: readScope(auth.scope) };
}

function readProofs(identity: IdentityDto): Proof[] {
  const methods = [...new Set(identity.methods)];
  if (methods.length === 0) throw invalid('auth.identity.methods', 'must name at least one method');
  const unknown = methods.find((method) => !METHODS.includes(method));
  if (unknown !== undefined) throw new AuthMethodNotSupportedError(unknown);
  return methods.map((method) =>
    method === 'password' ? byPassword(identity) : byToken(identity),
  );
}

function byPassword({ password }: IdentityDto): Proof {
  if (!password) throw invalid('auth.identity.password', 'is required by the method password');
  const { user } = password;
  return {
    method: 'password',
    user: readOwned(user, 'auth.identity.password.user'),
    password: user.password,
  };
}

function byToken({ token }: IdentityDto): Proof {
  if (!token) throw invalid('auth.identity.token', 'is required by the method token');
  return { method: 'token', token: token.id };
}

function readScope(scope: ScopeDto | undefined): ScopeRequest {
  if (scope === undefined) return { kind: 'default' };
  const { project, domain, system, unscoped } = scope;
  const given = [project, domain, system, unscoped].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw invalid('auth.scope', 'must hold exactly one of project, domain, system, unscoped');
  if (project) return { kind: 'project', project: readOwned(project, 'auth.scope.project') };
  if (domain) return { kind: 'domain', domain: readDomain(domain, 'auth.scope.domain') };
  if (system?.all === false) throw invalid('auth.scope.system.all', 'must be true');
  return { kind: system ? 'system' : 'unscoped' };
}

function readOwned(ref: ProjectRefDto, path: string): OwnedRef {
  if (ref.id !== undefined) return { id: ref.id };
  if (ref.name === undefined) throw invalid(path, 'must hold an id or a name');
  if (!ref.domain) throw invalid(`${path}.domain`, 'is required with a name');
  return { name: ref.name, domain: readDomain(ref.domain, `${path}.domain`) };
}

function readDomain(ref: DomainRefDto, path: string): DomainRef {
  if (ref.id !== undefined) return { id: ref.id };
  if (ref.name !== undefined) return { name: ref.name };
  throw invalid(path, 'must hold an id or a name');
}

function invalid(path: string, what: string): InvalidInputError {
  return new InvalidInputError(`Invalid input: ${path} ${what}.`);
}
