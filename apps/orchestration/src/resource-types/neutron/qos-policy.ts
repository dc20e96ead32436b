import { attribute, flag, text } from '../declare.js';
import { given } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';

export const qosPolicy = restResource({
  name: 'OS::Neutron::QoSPolicy',
  description: 'Rules for the traffic of ports and networks.',
  support: { status: 'SUPPORTED', version: '6.0.0' },
  api: { service: 'network', collection: '/v2.0/qos/policies', entity: 'policy' },
  properties: {
    name: text('The name of the policy.', { updatable: true }),
    description: text('What it is for.', { updatable: true }),
    shared: flag('Whether all projects may use it.', { default: false, updatable: true }),
    tenant_id: text('The project whose it is to be.'),
  },
  attributes: { rules: attribute('list', 'The rules of the policy.') },
  body: (properties, scope) => ({
    ...given(properties, 'description', 'shared', 'tenant_id'),
    name: nameOf(properties, scope),
  }),
  change: { method: 'PUT', cleared: { description: '' } },
});
