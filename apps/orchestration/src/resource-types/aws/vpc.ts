/**
 * A network of one's own with a router, and its subnets. Public source: AWS CloudFormation user guide,
 * "AWS::EC2::VPC" and "AWS::EC2::Subnet"; Heat, `aws/ec2/vpc.py`.
 *
 * Always holds: a network and the router that goes with it have the same name, by which whoever knows
 * the network finds the router.
 */
import type { JsonObject } from '../../json/json.js';
import { attribute, oneOf, text } from '../declare.js';
import { BUILT, networkApi } from '../neutron/network-type.js';
import { isInterfaceThere } from '../neutron/router-interface.js';
import { asObject, asObjects, asText, textIn } from '../property-values.js';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import { idIn, part, ServiceCalls } from '../service-calls.js';
import { UNKEPT_TAGS } from './shared-properties.js';
import { PropertyError } from '../../constraints/property.errors.js';

const calls = (scope: ResourceScope): ServiceCalls => new ServiceCalls(scope, 'network');

/**
 * The router that goes with a network; undefined where that was made without one.
 * @throws PropertyError where several could be it
 */
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
    Tags: UNKEPT_TAGS,
  },
  attributes: {},
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
    AvailabilityZone: text('Where it is to be; subnets are everywhere.'),
    CidrBlock: text('Its block.', { required: true }),
    VpcId: text('The network.', { required: true }),
    Tags: UNKEPT_TAGS,
  },
  attributes: {
    AvailabilityZone: {
      ...attribute('string', 'Where it is to be.'),
      from: (_shown, { properties }) => textIn(properties, 'AvailabilityZone'),
    },
  },
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

/** Where the subnet joins the router of its network, and whether it does; no id without a router. */
async function joinOf(scope: ExistingScope) {
  const at = { subnet_id: scope.row.physicalId };
  const router = await routerOf(scope, textIn(scope.properties, 'VpcId') ?? '');
  const id = router && idIn(router);
  const isThere = id !== undefined && (await isInterfaceThere(scope, id, at));
  return { id, at, isThere };
}
