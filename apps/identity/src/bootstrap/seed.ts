/** The initial rows of a cloud, as data. */
import type { IdentityConfig } from '../config.js';
import type { UserOptions } from '../users/user.options.js';

export const DEFAULT_DOMAIN = { id: 'default', name: 'Default' };

/** The roles that services know; the names are a contract between them. */
export const ROLES: Readonly<Record<string, string>> = {
  admin: 'Works across projects.',
  member: 'Reads and writes within a project.',
  reader: 'Reads within a project.',
  service: 'Marks a sister service.',
  heat_stack_user: 'Marks a user of a stack; gives no rights.',
};

/** As in Keystone's bootstrap. */
export const INFERENCES: readonly (readonly [prior: string, implied: string])[] = [
  ['admin', 'member'],
  ['member', 'reader'],
];

/** A domain for the users that a service creates. Clients cannot choose such an ID. */
export interface SeedDomain {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** By the name of the service user. */
const OWN_DOMAINS: Readonly<Record<string, SeedDomain>> = {
  clusters: {
    id: 'cluster-trustees',
    name: 'cluster-trustees',
    description: 'Users by which clusters act for the users who gave them a trust.',
  },
  orchestration: {
    id: 'stack-users',
    name: 'stack-users',
    description: 'Users that stacks create, and their projects.',
  },
};

export interface SeedProject {
  readonly name: string;
  readonly description: string;
  /** Re-enabled at each start, since the cloud does not work without it. */
  readonly isIndispensable: boolean;
}

export interface SeedUser {
  readonly name: string;
  readonly description: string;
  readonly password: string;
  /** Others that let it in too. */
  readonly otherPasswords: readonly string[];
  /** The project on which it has its roles. */
  readonly project: string;
  readonly roles: readonly string[];
  /** Further targets on which it has the same roles. */
  readonly alsoOn: readonly ('domain' | 'system')[];
  /** A domain of its own on which it has the same roles. */
  readonly keeps?: SeedDomain | undefined;
  /** Its initial values; an administrator may change them later. */
  readonly options: UserOptions;
  /** As for projects. */
  readonly isIndispensable: boolean;
}

/** Exempt from lockout after failed logins, and from password expiry. */
const ALWAYS_LET_IN: UserOptions = {
  ignore_lockout_failure_attempts: true,
  ignore_password_expiry: true,
};

export interface Seed {
  readonly domains: readonly SeedDomain[];
  readonly projects: readonly SeedProject[];
  readonly users: readonly SeedUser[];
}

export function seedOf(config: IdentityConfig): Seed {
  const { adminPassword, demoPassword, servicePassword, services } = config;
  const { oldServicePasswords: otherPasswords = [] } = config;
  const names = services.map(({ user: name }) => name);
  return {
    domains: names.flatMap((name) => OWN_DOMAINS[name] ?? []),
    projects: [
      project('admin', 'The project of the administrators.'),
      project('service', 'The project of the service users.'),
      { ...project('demo', 'A first project to work in.'), isIndispensable: false },
    ],
    users: [
      {
        ...user('admin', 'Administers the cloud.', adminPassword, 'admin', ['admin']),
        alsoOn: ['domain', 'system'],
        options: ALWAYS_LET_IN,
      },
      ...names.map((name) => ({
        ...user(name, `The ${name} service.`, servicePassword, 'service', ['service']),
        otherPasswords,
        keeps: OWN_DOMAINS[name],
        options: ALWAYS_LET_IN,
      })),
      ...(demoPassword === undefined ? [] : [demoUser(demoPassword)]),
    ],
  };
}

function user(
  name: string,
  description: string,
  password: string,
  project: string,
  roles: readonly string[],
): SeedUser {
  return {
    name,
    description,
    password,
    otherPasswords: [],
    project,
    roles,
    alsoOn: [],
    options: {},
    isIndispensable: true,
  };
}

function demoUser(password: string): SeedUser {
  const demo = user('demo', 'A first user.', password, 'demo', ['member', 'reader']);
  return { ...demo, isIndispensable: false };
}

function project(name: string, description: string): SeedProject {
  return { name, description, isIndispensable: true };
}

export function namedIn<T>(ids: ReadonlyMap<string, T>, name: string): T {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the seed refers to ${name}, which it does not create`);
  return id;
}
