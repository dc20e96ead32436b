import { flag, named, oneOf, text, UPDATABLE } from '../declare.js';
import { restResource } from '../rest-resource.js';
import { identityApi, sinceVersion } from './identity-type.js';

export const region = restResource({
  name: 'OS::Keystone::Region',
  description: 'A part of the cloud, as endpoints name it.',
  support: sinceVersion('6.0.0'),
  api: identityApi('region'),
  properties: {
    id: text('Its id; by default one is made.'),
    parent_region: named('keystone.region', 'The region that it is in.', UPDATABLE),
    description: text('What it is for.', UPDATABLE),
    enabled: flag('Whether it is used.', { default: true, updatable: true }),
  },
  attributes: {},
  fields: { parent_region: 'parent_region_id' },
  change: { method: 'PATCH', createOnly: ['id'], cleared: { description: '' } },
});

export const service = restResource({
  name: 'OS::Keystone::Service',
  description: 'A service, as the catalog names it.',
  support: sinceVersion('5.0.0'),
  api: identityApi('service'),
  properties: {
    name: text('The name of the service.', UPDATABLE),
    description: text('What it is for.', UPDATABLE),
    type: text('What kind of service it is.', { required: true, updatable: true }),
    enabled: flag('Whether it is in the catalog.', {
      default: true,
      updatable: true,
      since: '6.0.0',
    }),
  },
  attributes: {},
  change: { method: 'PATCH', cleared: { description: '' } },
});

export const endpoint = restResource({
  name: 'OS::Keystone::Endpoint',
  description: 'Where a service is reached.',
  support: sinceVersion('5.0.0'),
  api: identityApi('endpoint'),
  properties: {
    name: text('The name of the endpoint.', UPDATABLE),
    region: named('keystone.region', 'The region that it is in.', UPDATABLE),
    service: named('keystone.service', 'The service.', { required: true, updatable: true }),
    interface: text('For whom it is.', {
      required: true,
      updatable: true,
      constraints: [oneOf('public', 'internal', 'admin')],
    }),
    url: text('Its URL.', { required: true, updatable: true }),
    enabled: flag('Whether it is in the catalog.', {
      default: true,
      updatable: true,
      since: '6.0.0',
    }),
  },
  attributes: {},
  fields: { region: 'region_id', service: 'service_id' },
  change: { method: 'PATCH' },
});
