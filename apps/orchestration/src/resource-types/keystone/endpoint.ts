import { flag, named, oneOf, text, UPDATABLE } from '../declare.js';
import { given, textIn } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { identityApi, sinceVersion } from './identity-type.js';

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
  body: (properties, scope) => ({
    ...given(properties, 'interface', 'url', 'enabled'),
    name: nameOf(properties, scope),
    region_id: textIn(properties, 'region'),
    service_id: textIn(properties, 'service'),
  }),
  change: { method: 'PATCH' },
});
