import type { Properties } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import { ownOf, type JsonObject } from '../../json/json.js';
import type { ResourceDefinition } from '../../template/read-template.js';
import {
  attribute,
  custom,
  integer,
  map,
  named,
  olderName,
  oneOf,
  range,
  text,
  UPDATABLE,
} from '../declare.js';
import {
  entryOf,
  expressionOf,
  isSameExpression,
  itemsOf,
  ofType,
  referredBy,
} from '../implicit-requires.js';
import { asObject, isGiven, textIn } from '../property-values.js';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import { part, ServiceCalls } from '../service-calls.js';
import { checkSpecs, networkApi } from './network-type.js';

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
    dns_name: text('The name.', {
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
    tenant_id: attribute('string', 'The ID of the project that owns it.'),
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
  implicitRequires: (one, all) => [...gatewaysFor(one, all), ...interfacesOf(one, all)],
  fields: { floating_network: 'floating_network_id', floating_subnet: 'subnet_id' },
  change: {
    method: 'PUT',
    // Both are sent together: the service ignores an address without its port.
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

export const floatingIpAssociation: ResourceType = {
  name: 'OS::Neutron::FloatingIPAssociation',
  description: 'That a floating IP leads to a port.',
  properties: {
    floatingip_id: text('The floating IP.', { required: true, updatable: true }),
    port_id: named('neutron.port', 'The port that it leads to.', {
      required: true,
      updatable: true,
    }),
    fixed_ip_address: text('The address of that port, where it has several.', {
      updatable: true,
      constraints: [custom('ip_addr')],
    }),
  },
  attributes: {},
  implicitRequires: interfacesOf,

  async create(scope) {
    await associate(scope);
    return { physicalId: scope.row.id };
  },

  async update(scope, { before }) {
    const former = idIn(before);
    if (former !== idIn(scope.properties)) await leave(scope, before);
    await associate(scope);
    return {};
  },

  remove: (scope) => leave(scope, scope.properties),

  read: (scope: ExistingScope) => find(scope, scope.properties),
};

function idIn(properties: Properties): string {
  return textIn(properties, 'floatingip_id') ?? '';
}

const path = (properties: Properties): string => `/v2.0/floatingips/${part(idIn(properties))}`;

async function associate(scope: ResourceScope): Promise<void> {
  const { properties } = scope;
  const address = textIn(properties, 'fixed_ip_address');
  await new ServiceCalls(scope, 'network').put(path(properties), {
    floatingip: {
      port_id: textIn(properties, 'port_id') ?? null,
      ...(address === undefined ? {} : { fixed_ip_address: address }),
    },
  });
}

/** Disassociates the floating IP, unless it belongs to another port by now. */
async function leave(scope: ResourceScope, properties: Properties): Promise<void> {
  if (!(await find(scope, properties))) return;
  const body = { floatingip: { port_id: null } };
  await new ServiceCalls(scope, 'network').put(path(properties), body);
}

/** The floating IP, if it is associated with the port of these properties. */
async function find(scope: ResourceScope, properties: Properties): Promise<JsonObject | undefined> {
  const answer = await new ServiceCalls(scope, 'network').find(path(properties));
  const floatingIp = asObject(answer?.['floatingip']);
  return floatingIp?.['port_id'] === textIn(properties, 'port_id') ? floatingIp : undefined;
}

const PORT_NUMBERS = range(1, 65_535);

export const floatingIpPortForwarding = restResource({
  name: 'OS::Neutron::FloatingIPPortForward',
  description: 'That one port of a floating IP leads to a port of an address inside.',
  support: { status: 'SUPPORTED', version: '19.0.0' },
  api: {
    service: 'network',
    collection: (properties) =>
      `/v2.0/floatingips/${part(textIn(properties, 'floating_ip') ?? '')}/port_forwardings`,
    entity: 'port_forwarding',
  },
  properties: {
    internal_ip_address: text('The address inside.', {
      required: true,
      updatable: true,
      constraints: [custom('ip_addr')],
    }),
    internal_port_number: integer('The port of the address inside.', {
      updatable: true,
      constraints: [PORT_NUMBERS],
    }),
    external_port: integer('The port of the floating IP.', {
      required: true,
      updatable: true,
      constraints: [PORT_NUMBERS],
    }),
    internal_port: named('neutron.port', 'The port of the network that has the address inside.', {
      required: true,
      updatable: true,
    }),
    protocol: text('The protocol that is forwarded.', {
      required: true,
      updatable: true,
      constraints: [oneOf('tcp', 'udp', 'icmp', 'icmp6', 'sctp', 'dccp')],
    }),
    floating_ip: text('The id of the floating IP.', { required: true }),
  },
  attributes: {},
  implicitRequires: interfacesOf,
  fields: {
    floating_ip: null,
    internal_port: 'internal_port_id',
    internal_port_number: 'internal_port',
  },
  change: { method: 'PUT' },
});

const SUBNET = 'OS::Neutron::Subnet';

type Definitions = Readonly<Record<string, ResourceDefinition>>;

/**
 * Implicit dependencies of floating IPs, which can be associated only with ports behind a router
 * with an external gateway: routers and gateways on the floating IP's network.
 * Public source: Heat, `neutron/floatingip.py`.
 */
export function gatewaysFor(one: ResourceDefinition, all: Definitions): readonly string[] {
  const network = expressionOf(one, 'floating_network', 'floating_network_id');
  const gateways = ofType(all, 'OS::Neutron::RouterGateway').filter(([, other]) =>
    isSameExpression(expressionOf(other, 'network', 'network_id'), network),
  );
  const routers = ofType(all, 'OS::Neutron::Router').filter(([, other]) =>
    isSameExpression(entryOf(expressionOf(other, 'external_gateway_info'), 'network'), network),
  );
  return [...gateways, ...routers].map(([name]) => name);
}

/** Router interfaces in the subnets of ports that the resource refers to. */
export function interfacesOf(one: ResourceDefinition, all: Definitions): readonly string[] {
  const referred = new Set([...one.requires, ...referredBy(one.properties)]);
  const ports = ofType(all, 'OS::Neutron::Port').filter(([name]) => referred.has(name));
  return ofType(all, 'OS::Neutron::RouterInterface')
    .filter(([, other]) => ports.some(([, port]) => isIn(port, other, all)))
    .map(([name]) => name);
}

/** A port without a subnet may be in any of its network's. */
function isIn(port: ResourceDefinition, at: ResourceDefinition, all: Definitions): boolean {
  const subnet = expressionOf(at, 'subnet', 'subnet_id');
  const addresses = itemsOf(expressionOf(port, 'fixed_ips'));
  const subnets = addresses.map((address) => entryOf(address, 'subnet', 'subnet_id'));
  if (subnets.some((one) => one !== undefined))
    return subnets.some((one) => isSameExpression(one, subnet));
  const network = expressionOf(port, 'network', 'network_id');
  const owners = referredBy(subnet)
    .flatMap((name) => ownOf(all, name) ?? [])
    .filter(({ implementation: made }) => made.kind === 'type' && made.type === SUBNET);
  return owners.every((owner) =>
    isSameExpression(expressionOf(owner, 'network', 'network_id'), network),
  );
}
