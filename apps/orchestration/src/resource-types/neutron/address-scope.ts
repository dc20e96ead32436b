import { flag, integer, named, oneOf, text } from '../declare.js';
import { given } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { networkApi } from './network-type.js';

export const addressScope = restResource({
  name: 'OS::Neutron::AddressScope',
  description: 'A space of addresses in which none is twice.',
  support: { status: 'SUPPORTED', version: '6.0.0' },
  api: networkApi('address_scope', 'address-scopes'),
  properties: {
    name: text('The name of the scope.', { updatable: true }),
    shared: flag('Whether all projects may use it; for administrators.', {
      default: false,
      updatable: true,
    }),
    tenant_id: named(
      'keystone.project',
      'The project whose it is to be; only administrators may choose another.',
    ),
    ip_version: integer('The version of its addresses.', {
      default: 4,
      constraints: [oneOf(4, 6)],
    }),
  },
  attributes: {},
  body: (properties, scope) => ({
    ...given(properties, 'tenant_id', 'ip_version'),
    name: nameOf(properties, scope),
    // Whoever may not share must not even say that it is not shared.
    shared: properties['shared'] === true ? true : undefined,
  }),
  change: { method: 'PUT', cleared: { shared: false } },
});
