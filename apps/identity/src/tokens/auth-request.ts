/**
 * The proofs and the scope of a login. Checks the rules that span several fields; the DTO checks each
 * field.
 */
import type { TokenClaims } from '@cumulet/common/context/token-claims';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import type {
  ApplicationCredentialRef,
  LoginCredential,
} from '../application-credentials/application-credential.repository.js';
import type { DomainRef, OwnedRef } from '../database/owned-ref.js';
import type { Account } from '../users/user.repository.js';
import type { ScopeRequest } from '../roles/scope.repository.js';
import { isAuthMethod, type AuthMethod } from './token.js';
import type { AuthDto, DomainRefDto, IdentityDto, ProjectRefDto, ScopeDto } from './token.dto.js';

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
  /** From an earlier request of the same user. */
  readonly receipt?: string | undefined;
}

export interface Identified {
  readonly account: Account;
  readonly methods: readonly string[];
  /** The token used as a proof: the new one expires with it and joins its audit chain. */
  readonly parent?: TokenClaims | undefined;
  /** The limits of the new token. */
  readonly credential?: LoginCredential | undefined;
  /**
   * Whether the proof still holds by the rows under the lock for issuing tokens: the password, the
   * credential or the token may have been revoked while the proof was checked.
   * @param now the account as it is under the lock, which is enabled
   */
  readonly confirm: (tx: RequestContext, now: Account) => boolean | Promise<boolean>;
}

const READERS: { readonly [Method in AuthMethod]: (identity: IdentityDto) => ProofOf<Method> } = {
  password: (identity) => {
    const { user } = given(identity, 'password');
    const owned = readOwned(user, 'auth.identity.password.user');
    return { method: 'password', user: owned, password: user.password };
  },
  token: (identity) => ({ method: 'token', token: given(identity, 'token').id }),
  totp: (identity) => {
    const { user } = given(identity, 'totp');
    const owned = readOwned(user, 'auth.identity.totp.user');
    return { method: 'totp', user: owned, passcode: user.passcode };
  },
  application_credential: (identity) => {
    const path = 'auth.identity.application_credential';
    const { user, secret, ...named } = given(identity, 'application_credential');
    const ref = readRef(named, path);
    if ('id' in ref) return { method: 'application_credential', credential: ref, secret };
    if (!user) throw invalid(`${path}.user`, 'is required with a name');
    const credential = { ...ref, user: readOwned(user, `${path}.user`) };
    return { method: 'application_credential', credential, secret };
  },
};

/**
 * @param receipt the header `Openstack-Auth-Receipt`
 * @throws InvalidInputError naming the field that is missing or contradicts another
 * @throws DomainError for a method that is not offered
 */
export function readAuthRequest(auth: AuthDto, receipt?: string): AuthRequest {
  return { proofs: readProofs(auth.identity), scope: readScope(auth.scope), receipt };
}

function readProofs(identity: IdentityDto): Proof[] {
  const methods = [...new Set(identity.methods)];
  if (methods.length === 0) throw invalid('auth.identity.methods', 'must name at least one method');
  const known = methods.filter(isAuthMethod);
  const unknown = methods.find((method) => !isAuthMethod(method));
  if (unknown !== undefined)
    throw new DomainError(
      'unauthenticated',
      `Attempted to authenticate with an unsupported method: ${unknown}.`,
    );
  // A second proof must not bypass a credential's limits.
  if (known.includes('application_credential') && known.length > 1)
    throw invalid(
      'auth.identity.methods',
      'must not combine application_credential with another method',
    );
  return known.map((method) => READERS[method](identity));
}

function given<Method extends AuthMethod>(
  identity: IdentityDto,
  method: Method,
): NonNullable<IdentityDto[Method]> {
  const data = identity[method];
  if (!data) throw invalid(`auth.identity.${method}`, `is required by the method ${method}`);
  return data;
}

function readScope(scope: ScopeDto | undefined): ScopeRequest {
  if (scope === undefined) return { kind: 'default' };
  const { project, domain, system, unscoped } = scope;
  const trust = scope['OS-TRUST:trust'];
  const given = [project, domain, system, unscoped, trust].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw invalid(
      'auth.scope',
      'must have exactly one of project, domain, system, OS-TRUST:trust, unscoped',
    );
  }
  if (project) return { kind: 'project', project: readOwned(project, 'auth.scope.project') };
  if (domain) return { kind: 'domain', domain: readRef(domain, 'auth.scope.domain') };
  if (trust) return { kind: 'trust', trustId: trust.id };
  if (system?.all === false) throw invalid('auth.scope.system.all', 'must be true');
  return { kind: system ? 'system' : 'unscoped' };
}

function readOwned(owned: ProjectRefDto, path: string): OwnedRef {
  const ref = readRef(owned, path);
  if ('id' in ref) return ref;
  if (!owned.domain) throw invalid(`${path}.domain`, 'is required with a name');
  return { ...ref, domain: readRef(owned.domain, `${path}.domain`) };
}

function readRef({ id, name }: DomainRefDto, path: string): DomainRef {
  if (id !== undefined) return { id };
  if (name !== undefined) return { name };
  throw invalid(path, 'must have an id or a name');
}

function invalid(path: string, what: string): InvalidInputError {
  return new InvalidInputError(`Invalid input: ${path} ${what}.`);
}
