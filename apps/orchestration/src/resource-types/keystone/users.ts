import type { Properties, PropertySchema } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import { attribute, flag, listOf, mapOf, named, text, UPDATABLE } from '../declare.js';
import { isGiven, mapsIn, textIn, textsIn, withoutNulls } from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import { part, ServiceCalls } from '../service-calls.js';
import { identityApi, sinceVersion } from './identity-type.js';

const SINCE = '9.0.0';

const inGroup = (group: string, user: string): string =>
  `/v3/groups/${part(group)}/users/${part(user)}`;

export const ROLES: PropertySchema = listOf(
  mapOf(
    {
      role: named('keystone.role', 'The role.', { required: true }),
      project: named('keystone.project', 'The project that it is on; or else give a domain.'),
      domain: named('keystone.domain', 'The domain that it is on; or else give a project.'),
    },
    'A role on a project or a domain.',
  ),
  'The roles.',
  { updatable: true },
);

export const user = restResource({
  name: 'OS::Keystone::User',
  description: 'A user.',
  support: sinceVersion('2015.1'),
  api: identityApi('user'),
  properties: {
    name: text('The name of the user.', UPDATABLE),
    domain: named('keystone.domain', 'The domain that the user is in.', {
      default: 'default',
      updatable: true,
    }),
    description: text('The description.', { default: '', updatable: true }),
    enabled: flag('Whether the user may log in.', { default: true, updatable: true }),
    email: text('The e-mail address.', UPDATABLE),
    password: text('The password.', UPDATABLE),
    default_project: named(
      'keystone.project',
      'The project of a login that names none.',
      UPDATABLE,
    ),
    groups: listOf(named('keystone.group', 'A group.'), 'The groups of the user.', UPDATABLE),
    roles: ROLES,
  },
  attributes: {
    name: attribute('string', 'The name of the user.', SINCE),
    default_project_id: attribute('string', 'The project of a login that names none.', SINCE),
    domain_id: attribute('string', 'The domain that the user is in.', SINCE),
    enabled: attribute('boolean', 'Whether the user may log in.', SINCE),
    password_expires_at: attribute('string', 'The time when the password expires.', SINCE),
  },
  validate: checkRoles,
  fields: {
    domain: 'domain_id',
    default_project: 'default_project_id',
    groups: null,
    roles: null,
  },
  async complete({ row, properties }, calls) {
    for (const group of textsIn(properties, 'groups') ?? [])
      await calls.put(inGroup(group, row.physicalId));
    await grantRoles(calls, { kind: 'users', id: row.physicalId }, properties);
  },
  change: {
    method: 'PATCH',
    retained: ['password'],
    cleared: { description: '', email: '' },
    async aside({ row, properties }, { changed, before }, calls) {
      const [old, groups] = [before, properties].map((one) => textsIn(one, 'groups') ?? []);
      if (changed.has('groups')) {
        for (const group of groups ?? []) await calls.put(inGroup(group, row.physicalId));
        for (const group of (old ?? []).filter((one) => groups?.includes(one) !== true))
          await calls.remove(inGroup(group, row.physicalId));
      }
      if (!changed.has('roles')) return;
      const owner = { kind: 'users', id: row.physicalId } as const;
      await grantRoles(calls, owner, properties);
      await revokeRoles(calls, owner, before, properties);
    },
  },
});

export const group = restResource({
  name: 'OS::Keystone::Group',
  description: 'Users who have roles together.',
  support: sinceVersion('2015.1'),
  api: identityApi('group'),
  properties: {
    name: text('The name of the group.', UPDATABLE),
    domain: named('keystone.domain', 'The domain that it is in.', {
      default: 'default',
      updatable: true,
    }),
    description: text('The description.', { default: '', updatable: true }),
    roles: ROLES,
  },
  attributes: {},
  validate: checkRoles,
  nameLength: 64,
  fields: { domain: 'domain_id', roles: null },
  complete: ({ row, properties }, calls) =>
    grantRoles(calls, { kind: 'groups', id: row.physicalId }, properties),
  change: {
    method: 'PATCH',
    cleared: { description: '' },
    async aside({ row, properties }, { changed, before }, calls) {
      if (!changed.has('roles')) return;
      const owner = { kind: 'groups', id: row.physicalId } as const;
      await grantRoles(calls, owner, properties);
      await revokeRoles(calls, owner, before, properties);
    },
  },
});

export const role = restResource({
  name: 'OS::Keystone::Role',
  description: 'What a user may have on a project or a domain.',
  support: sinceVersion('2015.1'),
  api: identityApi('role'),
  properties: {
    name: text('The name of the role.', UPDATABLE),
    domain: named('keystone.domain', 'The domain that it is in, if it is in one.', {
      since: '16.0.0',
    }),
  },
  attributes: {},
  fields: { domain: 'domain_id' },
  change: { method: 'PATCH' },
});

function assignments(kind: Owner['kind'], who: 'user' | 'group', name: string): ResourceType {
  const owner = (properties: Properties): Owner => ({ kind, id: textIn(properties, who) ?? '' });
  return {
    name,
    description: `The roles of a ${who}.`,
    support: sinceVersion('5.0.0'),
    properties: {
      [who]: named(`keystone.${who}`, `The ${who}.`, { required: true, updatable: true }),
      roles: ROLES,
    },
    attributes: {},
    validate: checkRoles,

    async create(scope) {
      const { properties, row } = scope;
      await grantRoles(new ServiceCalls(scope, 'identity'), owner(properties), properties);
      return { physicalId: row.id };
    },

    async update(scope, { before }) {
      const { properties } = scope;
      const calls = new ServiceCalls(scope, 'identity');
      await grantRoles(calls, owner(properties), properties);
      const isSameOwner = owner(before).id === owner(properties).id;
      await revokeRoles(calls, owner(before), before, isSameOwner ? properties : {});
      return {};
    },

    async remove(scope) {
      const { properties } = scope;
      await revokeRoles(new ServiceCalls(scope, 'identity'), owner(properties), properties);
    },
  };
}

/** Roles of existing users and groups, as resources of their own. */
export const userRoleAssignment = assignments('users', 'user', 'OS::Keystone::UserRoleAssignment');

export const groupRoleAssignment = assignments(
  'groups',
  'group',
  'OS::Keystone::GroupRoleAssignment',
);

export function checkRoles(properties: Properties): void {
  for (const [at, grant] of (mapsIn(properties, 'roles') ?? []).entries()) {
    const count = ['project', 'domain'].filter((name) => isGiven(grant, name)).length;
    if (count !== 1)
      throw new PropertyError(
        `roles[${at}]`,
        `Either project or domain must be specified for role ${textIn(grant, 'role') ?? ''}.`,
      );
  }
}

export interface Owner {
  readonly kind: 'users' | 'groups';
  readonly id: string;
}

/**
 * Roles on projects and domains, as a template lists them for a user or a group.
 *
 * Always holds: granting a role again and revoking a missing one change nothing.
 */
export async function grantRoles(
  calls: ServiceCalls,
  owner: Owner,
  properties: Properties,
): Promise<void> {
  for (const grant of mapsIn(properties, 'roles') ?? []) await calls.put(pathOf(owner, grant));
}

export async function revokeRoles(
  calls: ServiceCalls,
  owner: Owner,
  properties: Properties,
  retained: Properties = {},
): Promise<void> {
  const retainedRoles = (mapsIn(retained, 'roles') ?? []).map(withoutNulls);
  for (const grant of mapsIn(properties, 'roles') ?? [])
    if (!retainedRoles.some((one) => isSame(one, withoutNulls(grant))))
      await calls.remove(pathOf(owner, grant));
}

function pathOf({ kind, id }: Owner, grant: JsonObject): string {
  const project = textIn(grant, 'project');
  const scope =
    project === undefined
      ? `domains/${part(textIn(grant, 'domain') ?? '')}`
      : `projects/${part(project)}`;
  return `/v3/${scope}/${kind}/${part(id)}/roles/${part(textIn(grant, 'role') ?? '')}`;
}
