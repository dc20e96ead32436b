import { attribute, flag, listOf, named, text, UPDATABLE } from '../declare.js';
import { given, textIn, textsIn } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { part } from '../service-calls.js';
import { identityApi, sinceVersion } from './identity-type.js';
import { checkRoles, giveRoles, ROLES, takeRoles } from './role-grants.js';

const SINCE = '9.0.0';

const inGroup = (group: string, user: string): string =>
  `/v3/groups/${part(group)}/users/${part(user)}`;

export const user = restResource({
  name: 'OS::Keystone::User',
  description: 'Somebody who may log in.',
  support: sinceVersion('2015.1'),
  api: identityApi('user'),
  properties: {
    name: text('The name of the user.', UPDATABLE),
    domain: named('keystone.domain', 'The domain that the user is in.', {
      default: 'default',
      updatable: true,
    }),
    description: text('Who it is.', { default: '', updatable: true }),
    enabled: flag('Whether the user may log in.', { default: true, updatable: true }),
    email: text('An address of e-mail.', UPDATABLE),
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
    password_expires_at: attribute('string', 'Until when the password is good.', SINCE),
  },
  validate: checkRoles,
  body: (properties, scope) => ({
    ...given(properties, 'description', 'enabled', 'email', 'password'),
    name: nameOf(properties, scope),
    domain_id: textIn(properties, 'domain'),
    default_project_id: textIn(properties, 'default_project'),
  }),
  async complete({ row, properties }, calls) {
    for (const group of textsIn(properties, 'groups') ?? [])
      await calls.put(inGroup(group, row.physicalId));
    await giveRoles(calls, { kind: 'users', id: row.physicalId }, properties);
  },
  change: {
    method: 'PATCH',
    kept: ['password'],
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
      await giveRoles(calls, owner, properties);
      await takeRoles(calls, owner, before, properties);
    },
  },
});
