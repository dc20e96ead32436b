/**
 * What a new cloud starts with, as data. Pure: bootstrap.ts brings the rows to it.
 */
import type { IdentityConfig } from '../config.js';

export const DEFAULT_DOMAIN = { id: 'default', name: 'Default' };

/** The roles that services know; the names are a contract between them. */
export const ROLES: Readonly<Record<string, string>> = {
  admin: 'Works across projects.',
  member: 'Reads and writes within a project.',
  reader: 'Reads within a project.',
  service: 'Marks a sister service.',
};

/** One user per service that calls its sisters as itself. */
export const SERVICE_USERS = [
  'compute',
  'images',
  'network',
  'volumes',
  'loadbalancer',
  'orchestration',
  'clusters',
  's3',
];

export interface SeedProject {
  readonly name: string;
  readonly description: string;
}

export interface SeedUser {
  readonly name: string;
  readonly description: string;
  readonly password: string;
  /** The project that it has its roles on. */
  readonly project: string;
  readonly roles: readonly string[];
  /** Where else it has the same roles: its domain, the system. */
  readonly alsoOn: readonly ('domain' | 'system')[];
}

export interface Seed {
  readonly projects: readonly SeedProject[];
  readonly users: readonly SeedUser[];
}

export function seedOf(config: IdentityConfig): Seed {
  const { adminPassword, demoPassword, servicePassword } = config;
  return {
    projects: [
      { name: 'admin', description: 'The project of the administrators.' },
      { name: 'service', description: 'The project of the service users.' },
      { name: 'demo', description: 'A first project to work in.' },
    ],
    users: [
      {
        ...user('admin', 'Administers the cloud.', adminPassword, 'admin', ['admin']),
        alsoOn: ['domain', 'system'],
      },
      ...SERVICE_USERS.map((name) =>
        user(name, `The ${name} service.`, servicePassword, 'service', ['service']),
      ),
      ...(demoPassword === undefined
        ? []
        : [user('demo', 'A first user.', demoPassword, 'demo', ['member', 'reader'])]),
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
  return { name, description, password, project, roles, alsoOn: [] };
}
