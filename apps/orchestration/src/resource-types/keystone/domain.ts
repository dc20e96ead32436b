import { flag, text, UPDATABLE } from '../declare.js';
import { given } from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import { nameOf, restResource } from '../rest-resource.js';
import { part, ServiceCalls } from '../service-calls.js';
import { identityApi, sinceVersion } from './identity-type.js';

const plain = restResource({
  name: 'OS::Keystone::Domain',
  description: 'Users, groups and projects with names of their own.',
  support: sinceVersion('8.0.0'),
  api: identityApi('domain'),
  properties: {
    name: text('The name of the domain.', UPDATABLE),
    description: text('What it is for.', UPDATABLE),
    enabled: flag('Whether its users may log in.', { default: true, updatable: true }),
  },
  attributes: {},
  body: (properties, scope) => ({
    ...given(properties, 'description', 'enabled'),
    name: nameOf(properties, scope, 64),
  }),
  change: { method: 'PATCH', cleared: { description: '' } },
});

export const domain: ResourceType = {
  ...plain,
  /** One that is enabled is not deleted. */
  async remove(scope) {
    const calls = new ServiceCalls(scope, 'identity');
    const path = `/v3/domains/${part(scope.row.physicalId)}`;
    if (!(await calls.find(path))) return;
    await calls.patch(path, { domain: { enabled: false } });
    await plain.remove(scope);
  },
};
