import { named, text, UPDATABLE } from '../declare.js';
import { given, textIn } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { identityApi, sinceVersion } from './identity-type.js';
import { checkRoles, giveRoles, ROLES, takeRoles } from './role-grants.js';

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
    description: text('What it is for.', { default: '', updatable: true }),
    roles: ROLES,
  },
  attributes: {},
  validate: checkRoles,
  body: (properties, scope) => ({
    ...given(properties, 'description'),
    name: nameOf(properties, scope, 64),
    domain_id: textIn(properties, 'domain'),
  }),
  complete: ({ row, properties }, calls) =>
    giveRoles(calls, { kind: 'groups', id: row.physicalId }, properties),
  change: {
    method: 'PATCH',
    cleared: { description: '' },
    async aside({ row, properties }, { changed, before }, calls) {
      if (!changed.has('roles')) return;
      const owner = { kind: 'groups', id: row.physicalId } as const;
      await giveRoles(calls, owner, properties);
      await takeRoles(calls, owner, before, properties);
    },
  },
});
