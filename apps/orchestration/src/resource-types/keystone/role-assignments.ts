/** Roles of a user or a group that there is, as things of their own. */
import { named } from '../declare.js';
import { textIn } from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import { ServiceCalls } from '../service-calls.js';
import { sinceVersion } from './identity-type.js';
import { checkRoles, giveRoles, ROLES, takeRoles, type Owner } from './role-grants.js';
import type { Properties } from '../../constraints/property-schema.js';

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
      await giveRoles(new ServiceCalls(scope, 'identity'), owner(properties), properties);
      return { physicalId: row.id };
    },

    async update(scope, { before }) {
      const { properties } = scope;
      const calls = new ServiceCalls(scope, 'identity');
      await giveRoles(calls, owner(properties), properties);
      const isSameOwner = owner(before).id === owner(properties).id;
      await takeRoles(calls, owner(before), before, isSameOwner ? properties : {});
      return {};
    },

    async remove(scope) {
      const { properties } = scope;
      await takeRoles(new ServiceCalls(scope, 'identity'), owner(properties), properties);
    },
  };
}

export const userRoleAssignment = assignments('users', 'user', 'OS::Keystone::UserRoleAssignment');

export const groupRoleAssignment = assignments(
  'groups',
  'group',
  'OS::Keystone::GroupRoleAssignment',
);
