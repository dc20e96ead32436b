/**
 * A caller's proofs, and whom they prove it to be. Checks the rules of the request that span
 * several fields: a field's own type and length are the DTO's business.
 */
import type { TokenClaims } from '@cumulet/common/auth/token-claims';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type {
  ApplicationCredentialRef,
  LoginCredential,
} from '../application-credentials/application-credential.repository.js';
import type { DomainRef, OwnedRef } from '../database/owned-ref.js';
import type { Account } from '../users/user.repository.js';
import type { ScopeRequest } from './scope.repository.js';
import { AUTH_METHODS, type AuthMethod } from './token.js';
import type { AuthDto, DomainRefDto, IdentityDto, ProjectRefDto, ScopeDto } from './token.dto.js';
import { AuthMethodNotSupportedError } from './token.errors.js';

export type Proof =
  | { readonly method: 'password'; readonly user: OwnedRef; readonly password: string }
  | { readonly method: 'token'; readonly token: string }
  | { readonly method: 'totp'; readonly user: OwnedRef; readonly passcode: string }
  | {
      readonly method: 'application_credential';
      readonly credential: ApplicationCredentialRef;
      readonly secret: string;
    };

export type ProofOf<Method extends AuthMethod> = Extract<Proof, { readonly method: Method }>;

export interface AuthRequest {
  /** At least one; all must belong to the same user. */
  readonly proofs: readonly Proof[];
  readonly scope: ScopeRequest;
  /** What an earlier request of the same user has proved. */
  readonly receipt?: string | undefined;
}

/** Whom a proof identifies. */
export interface Identified {
  readonly account: Account;
  readonly methods: readonly string[];
  /** The token used as a proof: the new one expires with it and joins its audit chain. */
  readonly parent?: TokenClaims | undefined;
  /** The limits of the new token. */
  readonly credential?: LoginCredential | undefined;
  /**
   * Whether the proof still holds, by the rows under the lock for issuing tokens: while it was
   * being checked the password, the credential or the token may have been taken away.
   */
  readonly confirm: (tx: RequestContext) => Promise<boolean>;
}

/** One way to authenticate, named as in `auth.identity.methods`. */
export interface LoginMethod<P> {
  /** @throws UnauthenticatedError for a bad proof, after the same work whatever is wrong */
  check(ctx: RequestContext, proof: P): Promise<Identified>;
}

const READERS: { readonly [Method in AuthMethod]: (identity: IdentityDto) => ProofOf<Method> } = {
  password: byPassword,
  token: byToken,
  totp: byTotp,
  application_credential: byApplicationCredential,
};

/**
 * @param receipt the header `Openstack-Auth-Receipt`
 * @throws InvalidInputError naming the field that is missing or contradicts another
 * @throws AuthMethodNotSupportedError for a method that is not offered
 */
export function readAuthRequest(auth: AuthDto, receipt?: string): AuthRequest {
  return { proofs: readProofs(auth.identity), scope: readScope(auth.scope), receipt };
}

function readProofs(identity: IdentityDto): Proof[] {
  const methods = [...new Set(identity.methods)];
  if (methods.length === 0) throw invalid('auth.identity.methods', 'must name at least one method');
  const known = methods.filter((method): method is AuthMethod =>
    (AUTH_METHODS as readonly string[]).includes(method),
  );
  const unknown = methods.find((method) => !(known as readonly string[]).includes(method));
  if (unknown !== undefined) throw new AuthMethodNotSupportedError(unknown);
  // A second proof must not bypass a credential's limits.
  if (known.includes('application_credential') && known.length > 1)
    throw invalid('auth.identity.methods', 'must name application_credential alone');
  return known.map((method) => READERS[method](identity));
}

function byPassword({ password }: IdentityDto): ProofOf<'password'> {
  if (!password) throw invalid('auth.identity.password', 'is required by the method password');
  const { user } = password;
  return {
    method: 'password',
    user: readOwned(user, 'auth.identity.password.user'),
    password: user.password,
  };
}

function byToken({ token }: IdentityDto): ProofOf<'token'> {
  if (!token) throw invalid('auth.identity.token', 'is required by the method token');
  return { method: 'token', token: token.id };
}

function byTotp({ totp }: IdentityDto): ProofOf<'totp'> {
  if (!totp) throw invalid('auth.identity.totp', 'is required by the method totp');
  const { user } = totp;
  const path = 'auth.identity.totp.user';
  return { method: 'totp', user: readOwned(user, path), passcode: user.passcode };
}

function byApplicationCredential(identity: IdentityDto): ProofOf<'application_credential'> {
  const path = 'auth.identity.application_credential';
  const given = identity.application_credential;
  if (!given) throw invalid(path, 'is required by the method application_credential');
  const { id, name, user, secret } = given;
  if (id !== undefined) return { method: 'application_credential', credential: { id }, secret };
  if (name === undefined) throw invalid(path, 'must hold an id or a name');
  if (!user) throw invalid(`${path}.user`, 'is required with a name');
  const credential = { name, user: readOwned(user, `${path}.user`) };
  return { method: 'application_credential', credential, secret };
}

function readScope(scope: ScopeDto | undefined): ScopeRequest {
  if (scope === undefined) return { kind: 'default' };
  const { project, domain, system, unscoped } = scope;
  const trust = scope['OS-TRUST:trust'];
  const given = [project, domain, system, unscoped, trust].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw invalid(
      'auth.scope',
      'must hold exactly one of project, domain, system, OS-TRUST:trust, unscoped',
    );
  }
  if (project) return { kind: 'project', project: readOwned(project, 'auth.scope.project') };
  if (domain) return { kind: 'domain', domain: readDomain(domain, 'auth.scope.domain') };
  if (trust) return { kind: 'trust', trustId: trust.id };
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
