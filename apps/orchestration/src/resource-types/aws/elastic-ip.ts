/**
 * Floating IPs and their associations with instances in AWS's terms.
 * Public source: AWS CloudFormation user guide, "AWS::EC2::EIP" and "AWS::EC2::EIPAssociation".
 */
import type { JsonObject } from '../../json/json.js';
import { attribute, custom, named, oneOf, text, UPDATABLE } from '../declare.js';
import { floatingIpAssociation } from '../neutron/floating-ip.js';
import { asObject, asObjects, asText, isGiven, textIn } from '../property-values.js';
import type { ResourceScope, ResourceType } from '../resource-type.js';
import { idIn, part, ServiceCalls } from '../service-calls.js';
import { routerOf } from './vpc.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

const calls = (scope: ResourceScope): ServiceCalls => new ServiceCalls(scope, 'network');

const pathOf = (id: string): string => `/v2.0/floatingips/${part(id)}`;

/** The only external network. @throws PropertyError if there are none or several */
async function outsideOf(scope: ResourceScope): Promise<string> {
  const { networks } = await calls(scope).get('/v2.0/networks', { 'router:external': 'true' });
  const [network, ...others] = asObjects(networks);
  if (network && others.length === 0) return idIn(network);
  const count = network ? others.length + 1 : 0;
  throw new PropertyError('Domain', `Expected 1 external network, found ${count}`);
}

/** The first port of an instance with an IPv4 address, and that address. @throws PropertyError */
async function portOf(scope: ResourceScope, instance: string): Promise<JsonObject> {
  const { ports } = await calls(scope).get('/v2.0/ports', { device_id: instance });
  for (const port of asObjects(ports)) {
    const addresses = asObjects(port['fixed_ips']).map((one) => asText(one['ip_address']));
    const address = addresses.find((one) => !one.includes(':'));
    if (address !== undefined)
      return { port_id: idIn(port), fixed_ip_address: address, network: port['network_id'] ?? '' };
  }
  throw new PropertyError(
    'InstanceId',
    `Instance ${instance} has no port with an address of IPv4.`,
  );
}

async function lead(scope: ResourceScope, id: string, instance: string | undefined): Promise<void> {
  const { port_id: port = null, fixed_ip_address: address } =
    instance === undefined ? {} : await portOf(scope, instance);
  await calls(scope).put(pathOf(id), {
    floatingip: {
      port_id: port,
      ...(address === undefined ? {} : { fixed_ip_address: address }),
    },
  });
}

export const elasticIp: ResourceType = {
  name: 'AWS::EC2::EIP',
  description: 'A floating IP, as Amazon describes one.',
  properties: {
    Domain: text('A property of AWS, which has no effect here.', {
      constraints: [oneOf('vpc')],
      support: { status: 'DEPRECATED', version: '9.0.0', message: 'It is always vpc.' },
    }),
    InstanceId: text('The instance that it leads to.', {
      updatable: true,
      constraints: [custom('nova.server')],
    }),
  },
  attributes: { AllocationId: attribute('string', 'The ID.') },
  referenceOf: ({ data, name }) => data['address'] ?? name,

  async create(scope) {
    const body = { floatingip: { floating_network_id: await outsideOf(scope) } };
    const answer = await calls(scope).create('/v2.0/floatingips', body);
    const made = asObject(answer['floatingip']) ?? {};
    return { physicalId: idIn(made), data: { address: made['floating_ip_address'] ?? '' } };
  },

  /** The association is made last; repeated, it stays the same. */
  async isCreated(scope) {
    const instance = textIn(scope.properties, 'InstanceId');
    if (instance !== undefined) await lead(scope, scope.row.physicalId, instance);
    return true;
  },

  async update(scope) {
    await lead(scope, scope.row.physicalId, textIn(scope.properties, 'InstanceId'));
    return {};
  },

  remove: (scope) => calls(scope).remove(pathOf(scope.row.physicalId)),

  async read(scope) {
    return asObject((await calls(scope).find(pathOf(scope.row.physicalId)))?.['floatingip']);
  },

  attributesOf: ({ row }) => Promise.resolve({ AllocationId: row.physicalId }),
};

export const elasticIpAssociation: ResourceType = {
  name: 'AWS::EC2::EIPAssociation',
  description: 'That a floating IP leads to an instance, as Amazon describes it.',
  properties: {
    InstanceId: text('The instance.', { updatable: true, constraints: [custom('nova.server')] }),
    EIP: text('The address; or else give its id.', {
      updatable: true,
      constraints: [custom('ip_addr')],
    }),
    AllocationId: text('The id of the address; or else give itself.', UPDATABLE),
    NetworkInterfaceId: named('neutron.port', 'The port; or else give an instance.', UPDATABLE),
  },
  attributes: {},
  validate,
  referenceOf: ({ data, physicalId }) => data['reference'] ?? physicalId,

  async create(scope) {
    const target = await targetOf(scope);
    const { physicalId } = await floatingIpAssociation.create({ ...scope, properties: target });
    return { physicalId, data: { ...target, reference: scope.physicalName() } };
  },

  async update(scope, change) {
    const target = await targetOf(scope);
    const before = scope.row.data;
    await floatingIpAssociation.update?.({ ...scope, properties: target }, { ...change, before });
    return { data: { ...before, ...target } };
  },

  remove: (scope) => floatingIpAssociation.remove({ ...scope, properties: scope.row.data }),

  read: async (scope) => floatingIpAssociation.read?.({ ...scope, properties: scope.row.data }),
};

function validate(properties: Properties): void {
  const [address, id, instance, port] = [
    'EIP',
    'AllocationId',
    'InstanceId',
    'NetworkInterfaceId',
  ].map((name) => isGiven(properties, name));
  if (address === id)
    throw new PropertyError('EIP', "Either 'EIP' or 'AllocationId' must be provided.");
  if (address && !instance)
    throw new PropertyError('InstanceId', "Must specify 'InstanceId' if you specify 'EIP'.");
  if (!instance && !port)
    throw new PropertyError(
      'InstanceId',
      'At least one of the following properties must be specified: InstanceId, NetworkInterfaceId.',
    );
}

/** As for OS::Neutron::FloatingIPAssociation; needs the gateway of the VPC's router first. */
async function targetOf(scope: ResourceScope): Promise<JsonObject> {
  const { properties } = scope;
  const floatingIp = await floatingIpOf(scope);
  const { network, ...port } = await endOf(scope);
  const router = await routerOf(scope, asText(network));
  const outside = floatingIp['floating_network_id'] ?? '';
  const gateway = asObject(router?.['external_gateway_info']);
  if (router && gateway?.['network_id'] !== outside)
    await calls(scope).put(`/v2.0/routers/${part(idIn(router))}`, {
      router: { external_gateway_info: { network_id: outside } },
    });
  // For a port that is named, the service chooses the address.
  const address = isGiven(properties, 'NetworkInterfaceId') ? {} : port;
  return { floatingip_id: idIn(floatingIp), port_id: port['port_id'] ?? null, ...address };
}

async function floatingIpOf(scope: ResourceScope): Promise<JsonObject> {
  const [address, id = ''] = ['EIP', 'AllocationId'].map((name) => textIn(scope.properties, name));
  if (address === undefined) {
    const answer = await calls(scope).find(pathOf(id));
    const found = asObject(answer?.['floatingip']);
    if (!found) throw new PropertyError('AllocationId', `There is no address of the id ${id}.`);
    return found;
  }
  const query = { floating_ip_address: address };
  const { floatingips } = await calls(scope).get('/v2.0/floatingips', query);
  const [found] = asObjects(floatingips);
  if (!found) throw new PropertyError('EIP', `There is no address ${address}.`);
  return found;
}

async function endOf(scope: ResourceScope): Promise<JsonObject> {
  const port = textIn(scope.properties, 'NetworkInterfaceId');
  if (port === undefined) return portOf(scope, textIn(scope.properties, 'InstanceId') ?? '');
  const answer = await calls(scope).get(`/v2.0/ports/${part(port)}`);
  return { port_id: port, network: asObject(answer['port'])?.['network_id'] ?? '' };
}
