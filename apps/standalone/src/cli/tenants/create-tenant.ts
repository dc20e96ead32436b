/** A tenant: a project, and a user with roles in it. Public source: Keystone API reference, v3. */
import { CommandError } from '../command-error.js';
import {
  RefusedError,
  UnansweredError,
  type IdentitySession,
  type Named,
} from '../identity/identity-session.js';
import type { Undo } from './undo.js';

export interface WantedTenant {
  readonly project: string;
  readonly description: string | undefined;
  /** Name or id; undefined for the acting user's domain. */
  readonly domain: string | undefined;
  readonly user: string;
  /** Undefined for an existing user. */
  readonly password: string | undefined;
  readonly roles: readonly string[];
}

export interface Tenant {
  readonly domainId: string;
  readonly project: Named;
  readonly user: Named;
}

/**
 * Looks up all prerequisites before it creates anything.
 * @param interrupted checked between two steps, so that the outcome of every step is known
 * @throws CommandError naming what already exists, or is missing
 */
export async function createTenant(
  identity: IdentitySession,
  wanted: WantedTenant,
  undo: Undo,
  interrupted: AbortSignal,
): Promise<Tenant> {
  const domainId = await findDomain(identity, wanted.domain);
  const roles = await Promise.all(wanted.roles.map((name) => findRole(identity, name)));
  const existing =
    wanted.password === undefined ? await findUser(identity, wanted.user, domainId) : undefined;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (interrupted.aborted) throw new CommandError('Interrupted');
    return work();
  };
  const project = await step(() => createProject(identity, wanted, domainId, undo));
  const user =
    existing ?? (await step(() => createUser(identity, wanted, { domainId, project }, undo)));
  for (const role of roles) {
    const path = `/v3/projects/${project.id}/users/${user.id}/roles/${role.id}`;
    await step(() => identity.send({ method: 'PUT', path }));
  }
  if (interrupted.aborted) throw new CommandError('Interrupted');
  return { domainId, project, user };
}

async function findDomain(identity: IdentitySession, nameOrId?: string): Promise<string> {
  if (nameOrId === undefined) return identity.domainId;
  const named = await identity.findOne('domains', { name: nameOrId });
  if (named) return named.id;
  await identity.send({ path: `/v3/domains/${encodeURIComponent(nameOrId)}` });
  return nameOrId;
}

async function findRole(identity: IdentitySession, name: string): Promise<Named> {
  const role = await identity.findOne('roles', { name });
  if (!role) throw new CommandError(`There is no role ${name}`);
  return role;
}

async function findUser(identity: IdentitySession, name: string, domainId: string): Promise<Named> {
  const user = await identity.findOne('users', { name, domain_id: domainId });
  if (!user) throw new CommandError(`There is no user ${name} in the domain ${domainId}`);
  return user;
}

async function createProject(
  identity: IdentitySession,
  { project: name, description }: WantedTenant,
  domainId: string,
  undo: Undo,
): Promise<Named> {
  const fields = {
    name,
    domain_id: domainId,
    ...(description === undefined ? {} : { description }),
  };
  const project = await orInTheDark(
    `project ${name}`,
    identity.create('projects', 'project', fields),
  );
  undo.add(`the project ${name} (${project.id})`, () =>
    identity.send({ method: 'DELETE', path: `/v3/projects/${project.id}` }),
  );
  return project;
}

async function createUser(
  identity: IdentitySession,
  { user: name, password }: WantedTenant,
  { domainId, project }: { readonly domainId: string; readonly project: Named },
  undo: Undo,
): Promise<Named> {
  const fields = { name, domain_id: domainId, password, default_project_id: project.id };
  try {
    const user = await orInTheDark(`user ${name}`, identity.create('users', 'user', fields));
    undo.add(`the user ${name} (${user.id})`, () =>
      identity.send({ method: 'DELETE', path: `/v3/users/${user.id}` }),
    );
    return user;
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status !== 409) throw error;
    throw new CommandError(
      `${error.message} To give it the project, use --existing-user, or name another with --user.`,
    );
  }
}

/** A lost answer does not tell whether the request took effect. */
async function orInTheDark<T>(what: string, creation: Promise<T>): Promise<T> {
  try {
    return await creation;
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error;
    throw new CommandError(`${error.message}: the ${what} may have been created or not.`);
  }
}
