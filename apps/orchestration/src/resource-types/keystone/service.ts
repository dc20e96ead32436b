import { flag, text, UPDATABLE } from '../declare.js';
import { given } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { identityApi, sinceVersion } from './identity-type.js';

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
  body: (properties, scope) => ({
    ...given(properties, 'description', 'type', 'enabled'),
    name: nameOf(properties, scope),
  }),
  change: { method: 'PATCH', cleared: { description: '' } },
});
