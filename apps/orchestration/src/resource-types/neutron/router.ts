import type { Properties } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { JsonObject } from '../../json/json.js';
import {
  attribute,
  custom,
  flag,
  list,
  listOf,
  map,
  mapOf,
  named,
  olderName,
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
  textIn,
  type Fields,
} from '../property-values.js';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import { part, ServiceCalls } from '../service-calls.js';
import {
  BUILT,
  changesTags,
  checkApart,
  checkSome,
  checkSpecs,
  fixedIpOf,
  networkApi,
} from './network-type.js';

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
      'The external gateway.',
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
    availability_zone_hints: list('Hints for the availability zones.', {
      updatable: true,
      since: '19.0.0',
    }),
    tags: tags('router'),
    tenant_id: text('The project that owns it; only administrators may name another.', {
      since: '24.0.0',
    }),
  },
  attributes: {
    status: attribute('string', 'The status of the router.'),
    external_gateway_info: attribute('map', 'The external gateway.'),
    name: attribute('string', 'The name of the router.'),
    admin_state_up: attribute('string', 'Whether it carries packets.'),
    tenant_id: attribute('string', 'The ID of the project that owns it.'),
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
  /** The gateway gets an address of a subnet of the external network. */
  implicitRequires(one, all) {
    const outside = entryOf(expressionOf(one, 'external_gateway_info'), 'network');
    return ofType(all, 'OS::Neutron::Subnet')
      .filter(([, subnet]) =>
        isSameExpression(expressionOf(subnet, 'network', 'network_id'), outside),
      )
      .map(([name]) => name);
  },
  fields: { l3_agent_id: null, l3_agent_ids: null },
  body: (properties) => ({ external_gateway_info: gatewayOf(properties) }),
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

const calls = (scope: ResourceScope): ServiceCalls => new ServiceCalls(scope, 'network');

/** A router's external gateway as a resource of its own, from before routers had the property. */
export const routerGateway: ResourceType = {
  name: 'OS::Neutron::RouterGateway',
  description: "A router's way out to an external network.",
  support: {
    status: 'HIDDEN',
    version: '5.0.0',
    message: "Use the router's property external_gateway_info.",
  },
  properties: {
    router_id: named('neutron.router', 'The router.', { required: true }),
    network_id: olderName('network', '9.0.0', 'neutron.network'),
    network: named('neutron.network', 'The external network.', { required: true }),
  },
  attributes: {},

  /** Interfaces of the router, and subnets of the external network. */
  implicitRequires(one, all) {
    const router = expressionOf(one, 'router_id');
    const network = expressionOf(one, 'network', 'network_id');
    const interfaces = ofType(all, 'OS::Neutron::RouterInterface').filter(([, other]) =>
      isSameExpression(expressionOf(other, 'router', 'router_id'), router),
    );
    const subnets = ofType(all, 'OS::Neutron::Subnet').filter(([, other]) =>
      isSameExpression(expressionOf(other, 'network', 'network_id'), network),
    );
    return [...interfaces, ...subnets].map(([name]) => name);
  },

  async create(scope) {
    const router = textIn(scope.properties, 'router_id') ?? '';
    const network = textIn(scope.properties, 'network') ?? '';
    const body = { router: { external_gateway_info: { network_id: network } } };
    await calls(scope).put(`/v2.0/routers/${part(router)}`, body);
    return { physicalId: `${router}:${network}` };
  },

  async remove(scope) {
    const gateway = await find(scope);
    if (!gateway) return;
    const body = { router: { external_gateway_info: {} } };
    await calls(scope).put(`/v2.0/routers/${part(gatewayIdOf(scope).router)}`, body);
  },

  read: find,
};

function gatewayIdOf({ row }: ExistingScope): {
  readonly router: string;
  readonly network: string;
} {
  const [router = '', network = ''] = row.physicalId.split(':');
  return { router, network };
}

/** Undefined if the router is gone or has another gateway. */
async function find(scope: ExistingScope): Promise<JsonObject | undefined> {
  const { router, network } = gatewayIdOf(scope);
  const answer = await calls(scope).find(`/v2.0/routers/${part(router)}`);
  const gateway = asObject(asObject(answer?.['router'])?.['external_gateway_info']);
  return gateway?.['network_id'] === network ? gateway : undefined;
}

/**
 * A router's interface in a subnet. Public source: Networking API reference, "Add interface to router".
 */
export const routerInterface: ResourceType = {
  name: 'OS::Neutron::RouterInterface',
  description: "A router's place in a subnet, or at a port.",
  properties: {
    router: named('neutron.router', 'The router.', { required: true }),
    router_id: olderName('router', '6.0.0', 'neutron.router'),
    subnet_id: olderName('subnet', '5.0.0', 'neutron.subnet'),
    subnet: named('neutron.subnet', 'The subnet whose gateway it becomes; or else give a port.'),
    port_id: olderName('port', '6.0.0', 'neutron.port'),
    port: named('neutron.port', 'The port that it takes; or else give a subnet.', {
      since: '2015.1',
    }),
  },
  attributes: {},

  validate(properties) {
    checkApart(properties, 'subnet', 'port');
    checkSome(properties, 'subnet', 'port');
  },

  async create(scope) {
    const router = textIn(scope.properties, 'router') ?? '';
    const at = placeOf(scope.properties);
    const [field, id] = Object.entries(at)[0] as readonly [string, string];
    const physicalId = `${router}:${field}=${id}`;
    // The request has no idempotency key: an interface that was requested before and exists is its own.
    if (scope.row.data['asked'] === true && (await isInterfaceThere(scope, router, at)))
      return { physicalId };
    await scope.keep({ ...scope.row.data, asked: true });
    await calls(scope).put(`/v2.0/routers/${part(router)}/add_router_interface`, at);
    return { physicalId };
  },

  async remove(scope) {
    const { router, at } = interfaceIdOf(scope.row.physicalId);
    if (!(await isInterfaceThere(scope, router, at))) return;
    await calls(scope).put(`/v2.0/routers/${part(router)}/remove_router_interface`, at);
  },

  async read(scope: ExistingScope) {
    const { router, at } = interfaceIdOf(scope.row.physicalId);
    return (await isInterfaceThere(scope, router, at)) ? { router_id: router, ...at } : undefined;
  },
};

type Place = { readonly subnet_id: string } | { readonly port_id: string };

function placeOf(properties: Properties): Place {
  const subnet = textIn(properties, 'subnet');
  return subnet === undefined
    ? { port_id: textIn(properties, 'port') ?? '' }
    : { subnet_id: subnet };
}

/** @param physicalId `<router>:subnet_id=<subnet>` */
function interfaceIdOf(physicalId: string): { readonly router: string; readonly at: Place } {
  const [router = '', field = '', id = ''] = physicalId.split(/[:=]/);
  return { router, at: field === 'port_id' ? { port_id: id } : { subnet_id: id } };
}

export async function isInterfaceThere(
  scope: ResourceScope,
  router: string,
  at: Place,
): Promise<boolean> {
  const query =
    'port_id' in at
      ? { id: at.port_id, device_id: router }
      : { device_id: router, fixed_ips: `subnet_id=${at.subnet_id}` };
  const { ports } = (await calls(scope).get('/v2.0/ports', query)) as Fields;
  return Array.isArray(ports) && ports.length > 0;
}
