import {
  attribute,
  custom,
  flag,
  list,
  listOf,
  map,
  mapOf,
  named,
  tags,
  text,
} from '../declare.js';
import { entryOf, expressionOf, isSameExpression, ofType } from '../implicit-requires.js';
import {
  asObject,
  given,
  isGiven,
  listIn,
  mapIn,
  mapsIn,
  type Fields,
} from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import {
  BUILT,
  changesTags,
  checkApart,
  checkSpecs,
  fixedIpOf,
  networkApi,
  specsOf,
  tagsOf,
} from './network-type.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

const AGENTS = ['l3_agent_id', 'l3_agent_ids'] as const;

export const router = restResource({
  name: 'OS::Neutron::Router',
  description: 'A router between subnets, and from them to an external network.',
  api: networkApi('router'),
  properties: {
    name: text('The name of the router.', { updatable: true }),
    external_gateway_info: mapOf(
      {
        network: named('neutron.network', 'The external network.', {
          required: true,
          updatable: true,
        }),
        enable_snat: flag('Whether it translates the sources of packets; for administrators.', {
          updatable: true,
        }),
        external_fixed_ips: listOf(
          mapOf(
            {
              ip_address: text('An address there.', { constraints: [custom('ip_addr')] }),
              subnet: named('neutron.subnet', 'A subnet there to take an address from.'),
            },
            'An address, or where to take one from.',
          ),
          'Its addresses on the external network.',
          { updatable: true, since: '6.0.0' },
        ),
      },
      'Its way out.',
      { updatable: true },
    ),
    value_specs: map('Further fields of the request.', { default: {}, updatable: true }),
    admin_state_up: flag('Whether it carries packets.', { default: true, updatable: true }),
    l3_agent_id: text('The L3 agent that serves it, where a cloud has such agents.', {
      updatable: true,
      support: { status: 'HIDDEN', version: '6.0.0', message: 'Use property l3_agent_ids.' },
    }),
    l3_agent_ids: listOf(text('An agent.'), 'L3 agents that serve it, where a cloud has them.', {
      updatable: true,
      since: '2015.1',
    }),
    distributed: flag('Whether it is on each host; for administrators.', { since: '2015.1' }),
    ha: flag('Whether another host takes it over; for administrators.', { since: '2015.1' }),
    availability_zone_hints: list('Availability zones that it would rather be in.', {
      updatable: true,
      since: '19.0.0',
    }),
    tags: tags('router'),
    tenant_id: text('The project whose it is to be; only administrators may choose another.', {
      since: '24.0.0',
    }),
  },
  attributes: {
    status: attribute('string', 'The status of the router.'),
    external_gateway_info: attribute('map', 'Its way out.'),
    name: attribute('string', 'The name of the router.'),
    admin_state_up: attribute('string', 'Whether it carries packets.'),
    tenant_id: attribute('string', 'The project whose it is.'),
  },
  validate(properties) {
    checkSpecs(properties);
    checkApart(properties, ...AGENTS);
    const agents = AGENTS.find((name) => isGiven(properties, name));
    if (agents !== undefined && (listIn(properties, agents)?.length ?? 1) > 0)
      throw new PropertyError(agents, 'Routers of this cloud are not served by agents.');
    if (properties['ha'] === true && properties['distributed'] === true)
      checkApart(properties, 'distributed', 'ha');
  },
  /** Its gateway gets an address of a subnet of the external network. */
  implicitRequires(one, all) {
    const outside = entryOf(expressionOf(one, 'external_gateway_info'), 'network');
    return ofType(all, 'OS::Neutron::Subnet')
      .filter(([, subnet]) =>
        isSameExpression(expressionOf(subnet, 'network', 'network_id'), outside),
      )
      .map(([name]) => name);
  },
  body: (properties, scope) => ({
    ...specsOf(properties),
    ...given(properties, 'admin_state_up', 'distributed', 'ha', 'availability_zone_hints'),
    ...given(properties, 'tenant_id'),
    ...tagsOf(properties),
    name: nameOf(properties, scope),
    external_gateway_info: gatewayOf(properties),
  }),
  states: BUILT,
  change: {
    method: 'PUT',
    createOnly: ['tags'],
    cleared: { external_gateway_info: {}, availability_zone_hints: [] },
    aside: changesTags('routers'),
  },
});

function gatewayOf(properties: Properties): Fields[string] {
  const gateway = mapIn(properties, 'external_gateway_info');
  const { network } = gateway ?? {};
  if (!gateway || network === undefined || network === null) return undefined;
  const addresses = mapsIn(gateway, 'external_fixed_ips');
  return {
    network_id: network,
    ...asObject(given(gateway, 'enable_snat')),
    ...(addresses ? { external_fixed_ips: addresses.map(fixedIpOf) } : {}),
  };
}
