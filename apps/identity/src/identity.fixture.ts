/** The whole service on a database of its own, for api tests. */
import type { TestClient, TestResponse } from '@cumulet/testing/http-client';
import {
  startService,
  testConfig as testConfigOf,
  type StartedService,
  type StartOptions,
} from '@cumulet/testing/start-service';
import type { IdentityConfig } from './config.js';
import { PasswordHasher } from './users/passwords/password-hasher.js';
import { identityService } from './service.js';

export const ADMIN_PASSWORD = 'the password of admin';
export const DEMO_PASSWORD = 'the password of demo';
export const SERVICE_PASSWORD = 'the password of services';

/** The passwords of the users of the bootstrap. */
export const PASSWORDS = {
  admin: ADMIN_PASSWORD,
  demo: DEMO_PASSWORD,
  compute: SERVICE_PASSWORD,
};

/** The cheapest argon2, and how often it ran. */
export class CountingPasswords extends PasswordHasher {
  verifications = 0;

  constructor() {
    super({ passwordMemory: 8, passwordPasses: 1 });
  }

  protected override run(hashed: string, password: string): Promise<boolean> {
    this.verifications += 1;
    return super.run(hashed, password);
  }
}

const ENVIRONMENT = {
  IDENTITY_SECRET_KEY: 'a5'.repeat(32),
  IDENTITY_ADMIN_PASSWORD: ADMIN_PASSWORD,
  IDENTITY_DEMO_PASSWORD: DEMO_PASSWORD,
  CUMULET_SERVICE_PASSWORD: SERVICE_PASSWORD,
  CUMULET_REVOCATION_REFRESH: '50',
  CUMULET_SERVICES: [
    'compute:compute:nova=http://compute.example/v2.1',
    'orchestration:orchestration:heat=http://orchestration.example/v1/$(project_id)s',
  ].join(','),
  IDENTITY_PASSWORD_MEMORY: '8',
  IDENTITY_PASSWORD_PASSES: '1',
};

export function testConfig(
  databaseUrl: string,
  changes: Partial<IdentityConfig> = {},
): IdentityConfig {
  return { ...testConfigOf(identityService, databaseUrl, ENVIRONMENT), ...changes };
}

export interface TestIdentity extends StartedService<IdentityConfig> {
  readonly passwords: CountingPasswords;
}

/** By default, the service accepts the tokens that it issues. */
export async function startIdentity(
  config: Partial<IdentityConfig> = {},
  options: StartOptions<IdentityConfig> = {},
): Promise<TestIdentity> {
  const passwords = new CountingPasswords();
  const overrides = [{ provide: PasswordHasher, useValue: passwords }];
  const parts = { ownTokens: !options.tokens, ...options, config, overrides };
  return { ...(await startService(identityService, ENVIRONMENT, parts)), passwords };
}

/** Another process of the service, on the same database. */
export function startReplica(
  beside: TestIdentity,
  changes: Partial<IdentityConfig> = {},
): Promise<TestIdentity> {
  return startIdentity({ ...beside.config, ...changes }, { beside });
}

export interface Login {
  /** By default, by its name. */
  readonly user?: string;
  readonly id?: string;
  readonly password?: string;
  readonly scope?: unknown;
}

/** `POST /v3/auth/tokens` by password, of the user admin unless another is named. */
export function login(
  client: TestClient,
  { user = 'admin', id, password = ADMIN_PASSWORD, scope }: Login = {},
): Promise<TestResponse> {
  const named = id === undefined ? { name: user, domain: { id: 'default' } } : { id };
  return client.post('/v3/auth/tokens', {
    body: {
      auth: {
        identity: { methods: ['password'], password: { user: { ...named, password } } },
        ...(scope === undefined ? {} : { scope }),
      },
    },
  });
}

export function projectScope(name: string): object {
  return { project: { name, domain: { id: 'default' } } };
}

/** @returns a signed token of the user on the project of the same name */
export async function tokenOf(
  client: TestClient,
  user: keyof typeof PASSWORDS = 'admin',
): Promise<string> {
  const project = user === 'compute' ? 'service' : user;
  return signedIn(
    await login(client, { user, password: PASSWORDS[user], scope: projectScope(project) }),
  );
}

/** The ids of users, projects and roles, by `user demo`, `project admin`, `role member`. */
export async function namedIn({ app }: TestIdentity): Promise<(key: string) => string> {
  const rows: { key: string; id: string }[] = await app.dataSource.query(
    `SELECT 'user ' || name AS key, id FROM users
     UNION SELECT 'project ' || name, id FROM projects UNION SELECT 'role ' || name, id FROM roles`,
  );
  const ids = new Map(rows.map((row) => [row.key, row.id]));
  return (key) => ids.get(key) ?? '';
}

/** Whether the token is let in: 200, or 401. */
export async function statusOf(
  { client }: Pick<TestIdentity, 'client'>,
  token: string,
): Promise<number> {
  return (await client.get('/v3/auth/projects', { token })).status;
}

/** @throws Error where the answer carries no token */
export function signedIn(response: TestResponse): string {
  const token = response.headers.get('X-Subject-Token');
  if (!token) throw new Error(`no token: ${response.status} ${response.text}`);
  return token;
}

/** The `token` of a response, as loosely typed as a test reads it. */
export function tokenIn(response: TestResponse): Record<string, unknown> {
  return (response.body as { token: Record<string, unknown> }).token;
}

/** A resource as answers show it. */
export interface OnWire {
  readonly id: string;
  readonly name: string;
  readonly [property: string]: unknown;
}

/** @param kind `user` @throws Error where the answer carries none */
export function resourceIn(response: TestResponse, kind: string): OnWire {
  const found = ((response.body ?? {}) as Record<string, OnWire>)[kind];
  if (!found) throw new Error(`no ${kind}: ${response.status} ${response.text}`);
  return found;
}

export function messageOf({ body }: TestResponse): string {
  return (body as { error: { message: string } }).error.message;
}
