import { describe, expect, it } from '@jest/globals';
import type { AuthFields } from '../config.js';
import { authRequest } from './identity-session.js';

function requestOf(auth: AuthFields, authType?: string): unknown {
  const from = 'the entry x of clouds.yaml';
  const identityUrl = 'http://identity.example';
  return authRequest({ from, identityUrl, auth, authType, region: undefined });
}

const BY_NAME = { username: 'alice', password: 'secret' };
const DEFAULT = { id: 'default' };

describe('a login', () => {
  it('uses name and password on a project, in the default domain unless another is named', () => {
    expect(requestOf({ ...BY_NAME, project_name: 'acme', project_domain_name: 'North' })).toEqual({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'alice', domain: DEFAULT, password: 'secret' } },
        },
        scope: { project: { name: 'acme', domain: { name: 'North' } } },
      },
    });
  });

  it('prefers ids to names', () => {
    const auth = { ...BY_NAME, user_id: 'u', user_domain_id: 'd', project_id: 'p' };
    expect(requestOf({ ...auth, project_name: 'acme' }, 'v3password')).toEqual({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { id: 'u', password: 'secret' } },
        },
        scope: { project: { id: 'p' } },
      },
    });
  });

  it.each([
    ['the system', { system_scope: 'all' }, { scope: { system: { all: true } } }],
    ['a domain', { domain_name: 'North' }, { scope: { domain: { name: 'North' } } }],
    ['nothing', {}, {}],
  ])('can be scoped to %s', (_, scope, expected) => {
    const { auth } = requestOf({ ...BY_NAME, ...scope }) as { auth: object };
    expect(auth).toEqual({ identity: expect.anything(), ...expected });
  });

  it('uses an application credential if it has a secret, without a scope', () => {
    const auth = {
      application_credential_name: 'robot',
      application_credential_secret: 's',
      username: 'alice',
      user_domain_name: 'North',
      project_name: 'acme',
    };
    const user = { name: 'alice', domain: { name: 'North' } };
    const proof = { name: 'robot', user, secret: 's' };
    expect(requestOf(auth)).toEqual({
      auth: {
        identity: { methods: ['application_credential'], application_credential: proof },
      },
    });
  });

  it('uses a token if the entry says so', () => {
    expect(requestOf({ token: 't', project_id: 'p' }, 'v3token')).toEqual({
      auth: {
        identity: { methods: ['token'], token: { id: 't' } },
        scope: { project: { id: 'p' } },
      },
    });
  });

  it.each([
    [{ username: 'alice' }, undefined, 'password is missing'],
    [{ password: 'secret' }, undefined, 'username is missing'],
    [
      { application_credential_secret: 'secret' },
      undefined,
      'application_credential_name is missing',
    ],
    [
      BY_NAME,
      'v3oidcpassword',
      'auth_type must be password, token or v3applicationcredential; "v3oidcpassword" is not',
    ],
  ])('reports what is missing or unknown, and in which entry (%#)', (auth, type, reason) => {
    expect(() => requestOf(auth, type)).toThrow(`the entry x of clouds.yaml: ${reason}`);
  });
});
