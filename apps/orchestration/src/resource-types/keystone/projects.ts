import { attribute, flag, list, named, text, UPDATABLE } from '../declare.js';
import { textsIn } from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import { part, ServiceCalls } from '../service-calls.js';
import { identityApi, sinceVersion } from './identity-type.js';

const plain = restResource({
  name: 'OS::Keystone::Domain',
  description: 'Users, groups and projects with names of their own.',
  support: sinceVersion('8.0.0'),
  api: identityApi('domain'),
  properties: {
    name: text('The name of the domain.', UPDATABLE),
    description: text('The description.', UPDATABLE),
    enabled: flag('Whether its users may log in.', { default: true, updatable: true }),
  },
  attributes: {},
  nameLength: 64,
  change: { method: 'PATCH', cleared: { description: '' } },
});

export const domain: ResourceType = {
  ...plain,
  /** A domain must be disabled before it is deleted. */
  async remove(scope) {
    const calls = new ServiceCalls(scope, 'identity');
    const path = `/v3/domains/${part(scope.row.physicalId)}`;
    if (!(await calls.find(path))) return;
    await calls.patch(path, { domain: { enabled: false } });
    await plain.remove(scope);
  },
};

const SINCE = '10.0.0';

export const project = restResource({
  name: 'OS::Keystone::Project',
  description: 'A project.',
  support: sinceVersion('2015.1'),
  api: identityApi('project'),
  properties: {
    name: text('The name of the project.', UPDATABLE),
    domain: named('keystone.domain', 'The domain that it is in.', {
      default: 'default',
      updatable: true,
    }),
    description: text('The description.', { default: '', updatable: true }),
    enabled: flag('Whether it may be used.', { default: true, updatable: true }),
    parent: named('keystone.project', 'The project above it.', { since: '6.0.0' }),
    tags: list('The tags.', { since: SINCE, default: [], updatable: true }),
  },
  attributes: {
    name: attribute('string', 'The name of the project.', SINCE),
    parent_id: attribute('string', 'The project above it.', SINCE),
    domain_id: attribute('string', 'The domain that it is in.', SINCE),
    enabled: attribute('boolean', 'Whether it may be used.', SINCE),
    is_domain: attribute('boolean', 'Whether it is a domain, too.', SINCE),
  },
  nameLength: 64,
  fields: { domain: 'domain_id', parent: 'parent_id' },
  body: (properties) => ({ tags: textsIn(properties, 'tags') ?? [] }),
  change: { method: 'PATCH', createOnly: ['parent_id'], cleared: { description: '' } },
});
