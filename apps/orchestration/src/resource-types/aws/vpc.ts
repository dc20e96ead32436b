/**
 * A network with a router, and its subnets. Public source: AWS CloudFormation user guide,
 * "AWS::EC2::VPC" and "AWS::EC2::Subnet"; Heat, `aws/ec2/vpc.py`.
 *
 * Always holds: a network and its router have the same name, by which the router is found.
 */
import type { PropertySchema } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { JsonObject } from '../../json/json.js';
import {
  attribute,
  flag,
  listOf,
  mapOf,
  named,
  oneOf,
  text,
  type PropertyOptions,
} from '../declare.js';
import { BUILT, networkApi } from '../neutron/network-type.js';
import { isInterfaceThere } from '../neutron/router.js';
import { asObject, asObjects, asText, given, textIn, textsIn } from '../property-values.js';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import { idIn, part, ServiceCalls } from '../service-calls.js';

const calls = (scope: ResourceScope): ServiceCalls => new ServiceCalls(scope, 'network');

/** Undefined if the network was created without one. @throws PropertyError if several match */
export async function routerOf(
  scope: ResourceScope,
  networkId: string,
): Promise<JsonObject | undefined> {
  const answer = await calls(scope).find(`/v2.0/networks/${part(networkId)}`);
  const name = asText(asObject(answer?.['network'])?.['name']);
  if (name === '') return undefined;
  const { routers } = await calls(scope).get('/v2.0/routers', { name });
  const [router, other] = asObjects(routers);
  if (other) throw new PropertyError('VpcId', `Multiple routers found with name ${name}`);
  return router;
}

/** Accepted because templates have them everywhere, though the network service cannot store them. */
export const IGNORED_TAGS = pairs('The tags, which are not stored.');

const network = restResource({
  name: 'AWS::EC2::VPC',
  description: "A network of one's own with a router, as Amazon describes one.",
  api: networkApi('network'),
  properties: {
    CidrBlock: text('A block that its subnets are to be in; they say their own.'),
    InstanceTenancy: text('Whether hosts are shared; they always are.', {
      default: 'default',
      constraints: [oneOf('default')],
    }),
    Tags: IGNORED_TAGS,
  },
  attributes: {},
  fields: null,
  body: (_, scope) => ({ name: scope.physicalName() }),
  states: BUILT,
  async complete(scope, service) {
    const body = { router: { name: scope.physicalName() } };
    if (!(await routerOf(scope, scope.row.physicalId)))
      await service.create('/v2.0/routers', body, 'router');
  },
});

export const vpc: ResourceType = {
  ...network,
  async remove(scope) {
    const router = await routerOf(scope, scope.row.physicalId);
    if (router) await calls(scope).remove(`/v2.0/routers/${part(idIn(router))}`);
    await network.remove(scope);
  },
};

const plainSubnet = restResource({
  name: 'AWS::EC2::Subnet',
  description: 'A subnet, joined to the router of its network, as Amazon describes one.',
  api: networkApi('subnet'),
  properties: {
    AvailabilityZone: text('The availability zone, which has no effect on subnets.'),
    CidrBlock: text('The CIDR.', { required: true }),
    VpcId: text('The network.', { required: true }),
    Tags: IGNORED_TAGS,
  },
  attributes: {
    AvailabilityZone: {
      ...attribute('string', 'The availability zone.'),
      from: (_shown, { properties }) => textIn(properties, 'AvailabilityZone'),
    },
  },
  fields: null,
  body: (properties, scope) => ({
    network_id: textIn(properties, 'VpcId'),
    cidr: textIn(properties, 'CidrBlock'),
    ip_version: 4,
    name: scope.physicalName(),
  }),
  async complete(scope, service) {
    const { id, at, isThere } = await joinOf(scope);
    if (id !== undefined && !isThere)
      await service.put(`/v2.0/routers/${part(id)}/add_router_interface`, at);
  },
});

export const awsSubnet: ResourceType = {
  ...plainSubnet,
  async remove(scope) {
    const { id, at, isThere } = await joinOf(scope);
    if (id !== undefined && isThere)
      await calls(scope).put(`/v2.0/routers/${part(id)}/remove_router_interface`, at);
    await plainSubnet.remove(scope);
  },
};

/** The router interface of a subnet, and whether it exists; no ID without a router. */
async function joinOf(scope: ExistingScope) {
  const at = { subnet_id: scope.row.physicalId };
  const router = await routerOf(scope, textIn(scope.properties, 'VpcId') ?? '');
  const id = router && idIn(router);
  const isThere = id !== undefined && (await isInterfaceThere(scope, id, at));
  return { id, at, isThere };
}

/** The property of the port with the subnet's network. */
const NETWORK = 'network_id';

export const ALWAYS_CHECKED =
  'a port is held to its addresses, but where port_security_enabled of OS::Neutron::Port is false';

const plain = restResource({
  name: 'AWS::EC2::NetworkInterface',
  description: 'A port of a network, as Amazon describes one.',
  api: networkApi('port'),
  properties: {
    Description: text('The description, which is not stored.'),
    GroupSet: listOf(
      named('neutron.security_group', 'A security group.'),
      'Its security groups; by default that of the project.',
      { updatable: true },
    ),
    PrivateIpAddress: text('The address.'),
    SourceDestCheck: flag('Whether it is held to its addresses.', { notOffered: ALWAYS_CHECKED }),
    SubnetId: named('neutron.subnet', 'The subnet of its address.', { required: true }),
    Tags: IGNORED_TAGS,
  },
  attributes: {
    PrivateIpAddress: {
      ...attribute('string', 'The address.'),
      from: ({ fixed_ips: addresses }) => asObjects(addresses)[0]?.['ip_address'],
    },
  },
  fields: null,
  body(properties, scope) {
    const address = textIn(properties, 'PrivateIpAddress');
    return {
      ...given(properties, NETWORK),
      name: scope.physicalName(),
      admin_state_up: true,
      fixed_ips: [
        {
          subnet_id: textIn(properties, 'SubnetId') ?? '',
          ...(address === undefined ? {} : { ip_address: address }),
        },
      ],
      security_groups: textsIn(properties, 'GroupSet'),
    };
  },
  change: {
    method: 'PUT',
    createOnly: ['security_groups'],
    async aside(scope, { changed }, calls) {
      if (!changed.has('GroupSet')) return;
      const groups = textsIn(scope.properties, 'GroupSet') ?? [await ownGroup(scope, calls)];
      const path = `/v2.0/ports/${part(scope.row.physicalId)}`;
      await calls.put(path, { port: { security_groups: groups } });
    },
  },
});

/**
 * A port in AWS's terms. Public source: AWS CloudFormation user guide, "AWS::EC2::NetworkInterface".
 */
export const networkInterface: ResourceType = {
  ...plain,
  async create(scope) {
    const path = `/v2.0/subnets/${part(textIn(scope.properties, 'SubnetId') ?? '')}`;
    const { subnet } = await new ServiceCalls(scope, 'network').get(path);
    const network = asText(asObject(subnet)?.['network_id']);
    return plain.create({ ...scope, properties: { ...scope.properties, [NETWORK]: network } });
  },
};

/** The project's default security group. */
async function ownGroup({ stack }: ExistingScope, calls: ServiceCalls): Promise<string> {
  const query = { name: 'default', project_id: stack.projectId };
  const { security_groups: groups } = await calls.get('/v2.0/security-groups', query);
  return idIn(asObjects(groups)[0] ?? {});
}

/** AWS's tags: lists of keys and values. */
export function pairs(description: string, options: PropertyOptions = {}): PropertySchema {
  const pair = {
    Key: text('The key.', { required: true }),
    Value: text('The value.', { required: true }),
  };
  return listOf(mapOf(pair, 'A pair.'), description, options);
}
