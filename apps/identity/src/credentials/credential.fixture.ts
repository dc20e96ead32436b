/** Callers of every kind, for the tests of credentials and access keys. */
import { TestTokens } from '@cumulet/testing/test-tokens';
import type { TokenClaims } from '@cumulet/common/context/token-claims';
import { namedIn, startIdentity, type TestIdentity } from '../identity.fixture.js';

export interface Callers {
  readonly identity: TestIdentity;
  readonly tokens: TestTokens;
  /** The ids of `user demo`, `project admin`, … */
  id(key: string): string;
  /** A token of the user on the project of its name. */
  as(name: string, roles: readonly string[], claims?: Partial<TokenClaims>): Promise<string>;
}

/** Identity with tokens that the test itself makes, so that they can be of any delegation. */
export async function startCallers(): Promise<Callers> {
  const tokens = await TestTokens.create();
  const identity = await startIdentity({}, { tokens });
  const id = await namedIn(identity);
  return {
    identity,
    tokens,
    id,
    as: (name, roles, claims = {}) =>
      tokens.issue(roles, {
        userId: id(`user ${name}`),
        projectId: id(`project ${name}`),
        ...claims,
      }),
  };
}

/** Ways to act for a user with fewer rights than the user has. */
export const restricted = {
  trust: { kind: 'trust', id: 't', trustorId: 'demo', trusteeId: 'compute' },
  'application credential': { kind: 'application-credential', id: 'a', unrestricted: false },
} as const satisfies Record<string, TokenClaims['delegation']>;

let made = 0;

/** A credential of the user, for the project of its name, that may create credentials. */
export async function unrestricted(
  callers: Callers,
  user: string,
): Promise<NonNullable<TokenClaims['delegation']>> {
  const { body } = await callers.identity.client.post(
    `/v3/users/${callers.id(`user ${user}`)}/application_credentials`,
    {
      token: await callers.as(user, ['member', 'reader']),
      body: {
        application_credential: {
          name: `unrestricted ${(made += 1)}`,
          roles: [{ name: 'reader' }],
          unrestricted: true,
        },
      },
    },
  );
  const { application_credential: credential } = body as { application_credential: { id: string } };
  return { kind: 'application-credential', id: credential.id, unrestricted: true };
}
