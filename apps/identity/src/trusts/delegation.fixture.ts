/** The users of the bootstrap, and tokens of their delegations to each other. */
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  login,
  namedIn,
  PASSWORDS,
  startIdentity,
  tokenOf,
  type TestIdentity,
} from '../identity.fixture.js';

export { messageOf } from '../identity.fixture.js';

export type Name = keyof typeof PASSWORDS;

export interface Delegation {
  readonly identity: TestIdentity;
  /** The users' tokens, each on the project of the same name. */
  readonly tokens: Readonly<Record<Name, string>>;
  /** The id of `user demo`, `project admin`, `role member`. */
  id(key: string): string;
  /** Logs the user in by a trust. */
  byTrust(trustee: Name, trustId: string): Promise<TestResponse>;
  byCredential(id: string, secret: string): Promise<TestResponse>;
}

export async function startDelegation(): Promise<Delegation> {
  const identity = await startIdentity();
  const { client } = identity;
  const id = await namedIn(identity);
  return {
    identity,
    tokens: {
      admin: await tokenOf(client, 'admin'),
      demo: await tokenOf(client, 'demo'),
      compute: await tokenOf(client, 'compute'),
    },
    id,
    byTrust: (trustee, trustId) =>
      login(client, {
        id: id(`user ${trustee}`),
        password: PASSWORDS[trustee],
        scope: { 'OS-TRUST:trust': { id: trustId } },
      }),
    byCredential: (credentialId, secret) => {
      const credential = { application_credential: { id: credentialId, secret } };
      const auth = { identity: { methods: Object.keys(credential), ...credential } };
      return client.post('/v3/auth/tokens', { body: { auth } });
    },
  };
}

/** The object inside a wrapper, loosely typed for tests. */
export function unwrap(response: TestResponse, key: string): Record<string, unknown> {
  const found = (response.body as Record<string, unknown> | undefined)?.[key];
  if (found === undefined) throw new Error(`no ${key}: ${response.status} ${response.text}`);
  return found as Record<string, unknown>;
}
