/**
 * The body of a login request. Pure. Public source: Keystone API reference, "Authentication and
 * token management"; the names of auth types are keystoneauth's.
 */
import { CommandError } from '../command-error.js';
import type { AuthField, AuthFields } from '../config.js';
import type { Actor } from './actor.js';

const DEFAULT_DOMAIN = 'default';

/** @throws CommandError naming what is missing or unknown; never a password */
export function authRequest({ from, authType, auth }: Actor): object {
  const need = (field: AuthField): string => {
    const value = auth[field];
    if (value === undefined) throw new CommandError(`${from}: ${field} is missing`);
    return value;
  };
  switch (authType ?? usualType(auth)) {
    case 'password':
    case 'v3password':
      return body(
        'password',
        { user: { ...userOf(auth, need), password: need('password') } },
        auth,
      );
    case 'token':
    case 'v3token':
      return body('token', { id: need('token') }, auth);
    case 'v3applicationcredential':
      // It belongs to one project, so it takes no scope.
      return body('application_credential', applicationCredential(auth, need), {});
    default:
      throw new CommandError(
        `${from}: auth_type must be password, token or v3applicationcredential; "${String(authType)}" is not`,
      );
  }
}

function usualType(auth: AuthFields): string {
  return auth.application_credential_secret === undefined ? 'password' : 'v3applicationcredential';
}

function body(method: string, proof: object, auth: AuthFields): object {
  return {
    auth: { identity: { methods: [method], [method]: proof }, ...scopeOf(auth) },
  };
}

function userOf(auth: AuthFields, need: (field: AuthField) => string): object {
  if (auth.user_id !== undefined) return { id: auth.user_id };
  return { name: need('username'), domain: domain(auth.user_domain_id, auth.user_domain_name) };
}

function applicationCredential(auth: AuthFields, need: (field: AuthField) => string): object {
  const secret = need('application_credential_secret');
  if (auth.application_credential_id !== undefined)
    return { id: auth.application_credential_id, secret };
  return { name: need('application_credential_name'), user: userOf(auth, need), secret };
}

function scopeOf(auth: AuthFields): object {
  if (auth.system_scope === 'all') return { scope: { system: { all: true } } };
  if (auth.project_id !== undefined) return { scope: { project: { id: auth.project_id } } };
  if (auth.project_name !== undefined) {
    const of = domain(auth.project_domain_id, auth.project_domain_name);
    return { scope: { project: { name: auth.project_name, domain: of } } };
  }
  if (auth.domain_id === undefined && auth.domain_name === undefined) return {};
  return { scope: { domain: domain(auth.domain_id, auth.domain_name) } };
}

function domain(id: string | undefined, name: string | undefined): object {
  return id === undefined && name !== undefined ? { name } : { id: id ?? DEFAULT_DOMAIN };
}
