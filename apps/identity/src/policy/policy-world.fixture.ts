/**
 * A world with one of everything that a path can name, and callers of every kind, to test for each
 * route in the table who may call it.
 */
import type { DataSource } from 'typeorm';
import type { TokenClaims } from '@cumulet/common/context/token-claims';
import { newId, type TestTokens } from '@cumulet/testing/test-tokens';

/** In the order of the parameters below. */
const IDS = {
  domain_id: newId(),
  project_id: newId(),
  user_id: newId(),
  group_id: newId(),
  role_id: newId(),
  credential_id: newId(),
  trust_id: newId(),
  application_credential_id: newId(),
  limit_id: newId(),
};

/** The value of each path parameter; any other parameter gets an unused id. */
export const WORLD = { ...IDS, group: 'ldap', option: 'url' };

const SERVICE_USER = newId();

/** Restores what a request has removed from the world. */
export async function ensureWorld(dataSource: DataSource): Promise<void> {
  await dataSource.query(
    `WITH d AS (INSERT INTO domains (id, name) VALUES ($1, $1) ON CONFLICT DO NOTHING),
          p AS (INSERT INTO projects (id, domain_id, name) VALUES ($2, $1, $2) ON CONFLICT DO NOTHING),
          u AS (INSERT INTO users (id, domain_id, name) VALUES ($3, $1, $3), ($10, $1, $10)
                ON CONFLICT DO NOTHING),
          g AS (INSERT INTO groups (id, domain_id, name) VALUES ($4, $1, $4) ON CONFLICT DO NOTHING),
          r AS (INSERT INTO roles (id, name) VALUES ($5, $5) ON CONFLICT DO NOTHING),
          c AS (INSERT INTO credentials (id, user_id, type, sealed_blob) VALUES ($6, $3, 'note', '')
                ON CONFLICT DO NOTHING),
          a AS (INSERT INTO application_credentials (id, user_id, project_id, name, secret_hash)
                VALUES ($8, $3, $2, $8, '') ON CONFLICT DO NOTHING),
          s AS (INSERT INTO services (id, type) VALUES ($9, 'compute') ON CONFLICT DO NOTHING),
          e AS (INSERT INTO registered_limits (id, service_id, resource_name, default_limit)
                VALUES ($9, $9, 'cores', 1) ON CONFLICT DO NOTHING),
          l AS (INSERT INTO limits (id, registered_limit_id, project_id, resource_limit)
                VALUES ($9, $9, $2, 1) ON CONFLICT DO NOTHING)
     INSERT INTO trusts (id, trustor_user_id, trustee_user_id, project_id, impersonation)
     VALUES ($7, $3, $10, $2, true) ON CONFLICT DO NOTHING`,
    [...Object.values(IDS), SERVICE_USER],
  );
}

interface Caller {
  readonly roles: readonly string[];
  readonly claims: Partial<TokenClaims>;
}

const ours = { projectId: WORLD.project_id, domainId: WORLD.domain_id };
const elsewhere = { projectId: newId(), domainId: newId() };
const nowhere = { projectId: undefined, domainId: undefined };
const ofDomain = (domainId: string): Partial<TokenClaims> => ({
  ...nowhere,
  domainId,
  scope: 'domain',
});
const ofSystem: Partial<TokenClaims> = { ...nowhere, scope: 'system' };
const asOwner: Partial<TokenClaims> = { ...nowhere, userId: WORLD.user_id, scope: 'unscoped' };
const byTrust = {
  kind: 'trust',
  id: newId(),
  trustorId: WORLD.user_id,
  trusteeId: SERVICE_USER,
} as const;

export const CALLERS = {
  'reader of the project': { roles: ['reader'], claims: ours },
  'member of the project': { roles: ['member'], claims: ours },
  'admin of the project': { roles: ['admin'], claims: ours },
  'member of another project': { roles: ['member'], claims: elsewhere },
  'reader of the domain': { roles: ['reader'], claims: ofDomain(WORLD.domain_id) },
  'admin of the domain': { roles: ['admin'], claims: ofDomain(WORLD.domain_id) },
  'admin of another domain': { roles: ['admin'], claims: ofDomain(newId()) },
  'reader of the system': { roles: ['reader'], claims: ofSystem },
  'admin of the system': { roles: ['admin'], claims: ofSystem },
  'the service': { roles: ['service'], claims: elsewhere },
  'the service of the domain': { roles: ['service'], claims: ofDomain(WORLD.domain_id) },
  'the service of another domain': { roles: ['service'], claims: ofDomain(newId()) },
  'the user itself': { roles: [], claims: asOwner },
  'the user by a trust': {
    roles: ['member'],
    claims: { ...elsewhere, userId: WORLD.user_id, delegation: byTrust },
  },
} satisfies Readonly<Record<string, Caller>>;

export type CallerName = keyof typeof CALLERS;

export function tokenOf(tokens: TestTokens, name: CallerName): Promise<string> {
  const { roles, claims }: Caller = CALLERS[name];
  return tokens.issue(roles, claims);
}

const EVERYONE = Object.keys(CALLERS) as CallerName[];

/** The callers of this world for each persona. */
const MEANT: Readonly<Record<string, readonly CallerName[]>> = {
  'cloud admin': ['admin of the project', 'admin of the system'],
  'system reader': ['reader of the system', 'admin of the system'],
  'domain admin': ['admin of the domain'],
  'domain admin, for roles that stay within the domain': ['admin of the domain'],
  // A service reads wherever it has its role.
  'domain reader': ['reader of the domain', 'admin of the domain', 'the service of the domain'],
  'domain user': [
    'reader of the project',
    'member of the project',
    'admin of the project',
    'reader of the domain',
    'admin of the domain',
    'the service of the domain',
  ],
  'project admin': ['admin of the project'],
  'project user': ['reader of the project', 'member of the project', 'admin of the project'],
  owner: ['the user itself', 'the user by a trust'],
  'owner in person': ['the user itself'],
  'owner or trustee': ['the user itself', 'the user by a trust'],
  'owner, not by a trust': ['the user itself'],
  'owner, in person or by a trust that may be passed on': [
    'the user itself',
    'the user by a trust',
  ],
  'any token in person': EVERYONE.filter((caller) => caller !== 'the user by a trust'),
  service: ['the service', 'the service of the domain', 'the service of another domain'],
  'service of the domain': ['the service of the domain'],
  // The role of this world is another.
  'service of the domain, for the role of users of stacks': [],
  'any scoped token': EVERYONE.filter((caller) => caller !== 'the user itself'),
  'any token': EVERYONE,
};

/** Resources that a domain owns; a path without these refers to the caller's own domain. */
const OWNED = /\{(domain|project|user|group|limit)_id\}/;

/** The counterparts of callers in another domain. */
const ELSEWHERE: readonly (readonly [here: CallerName, elsewhere: CallerName])[] = [
  ['admin of the domain', 'admin of another domain'],
  ['the service of the domain', 'the service of another domain'],
];

/** @throws Error for an unknown persona */
export function callersMeant(personas: readonly string[], path: string): ReadonlySet<CallerName> {
  return new Set(
    personas.flatMap((persona): readonly CallerName[] => {
      const meant = MEANT[persona];
      if (!meant) throw new Error(`the test knows no persona '${persona}'`);
      if (OWNED.test(path)) return meant;
      return [...meant, ...ELSEWHERE.filter(([of]) => meant.includes(of)).map(([, one]) => one)];
    }),
  );
}
