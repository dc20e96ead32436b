import { attribute, custom, map, named, olderName, text, UPDATABLE } from '../declare.js';
import { given, isGiven, textIn } from '../property-values.js';
import { restResource } from '../rest-resource.js';
import { part } from '../service-calls.js';
import { interfacesOf, waysOut } from './floating-ip-requires.js';
import { checkSpecs, networkApi, specsOf } from './network-type.js';
import { PropertyError } from '../../constraints/property.errors.js';

const ASSOCIATION = ['port_id', 'fixed_ip_address'] as const;

export const floatingIp = restResource({
  name: 'OS::Neutron::FloatingIP',
  description: 'An address of an external network that leads to a port.',
  api: networkApi('floatingip'),
  properties: {
    floating_network_id: olderName('floating_network', '5.0.0', 'neutron.network'),
    floating_network: named('neutron.network', 'The external network that it is of.', {
      required: true,
      since: '2014.2',
    }),
    floating_subnet: named('neutron.subnet', 'The subnet there that it is taken from.', {
      since: '9.0.0',
    }),
    value_specs: map('Further fields of the request.', { default: {} }),
    port_id: named('neutron.port', 'The port that it leads to.', UPDATABLE),
    fixed_ip_address: text('The address of that port, where it has several.', {
      updatable: true,
      constraints: [custom('ip_addr')],
    }),
    floating_ip_address: text('The address itself; for administrators.', {
      constraints: [custom('ip_addr')],
      since: '5.0.0',
    }),
    dns_name: text('Its name.', {
      updatable: true,
      constraints: [custom('rel_dns_name')],
      since: '7.0.0',
    }),
    dns_domain: text('The domain of its name.', {
      updatable: true,
      constraints: [custom('dns_domain')],
      since: '7.0.0',
    }),
  },
  attributes: {
    router_id: attribute('string', 'The router that leads it to its port.'),
    tenant_id: attribute('string', 'The project whose it is.'),
    floating_network_id: attribute('string', 'The external network that it is of.'),
    fixed_ip_address: { ...attribute('string', 'The address that it leads to.'), isLive: true },
    floating_ip_address: attribute('string', 'The address itself.'),
    port_id: { ...attribute('string', 'The port that it leads to.'), isLive: true },
  },
  validate(properties) {
    checkSpecs(properties);
    if (isGiven(properties, 'fixed_ip_address') && !isGiven(properties, 'port_id'))
      throw new PropertyError(
        'fixed_ip_address',
        'fixed_ip_address cannot be specified without port_id.',
      );
  },
  implicitRequires: (one, all) => [...waysOut(one, all), ...interfacesOf(one, all)],
  body: (properties) => ({
    ...specsOf(properties),
    ...given(properties, ...ASSOCIATION, 'floating_ip_address', 'dns_name', 'dns_domain'),
    floating_network_id: textIn(properties, 'floating_network'),
    subnet_id: textIn(properties, 'floating_subnet'),
  }),
  change: {
    method: 'PUT',
    // Both go together: an address without its port means nothing to the service.
    createOnly: ASSOCIATION,
    cleared: { dns_name: '', dns_domain: '' },
    async aside({ properties, row }, { changed }, calls) {
      if (!ASSOCIATION.some((name) => changed.has(name))) return;
      const [port, address] = ASSOCIATION.map((name) => textIn(properties, name));
      await calls.put(`/v2.0/floatingips/${part(row.physicalId)}`, {
        floatingip: {
          port_id: port ?? null,
          ...(port === undefined ? {} : { fixed_ip_address: address ?? null }),
        },
      });
    },
  },
});
