/** A port, as Amazon describes one. Public source: AWS CloudFormation user guide, "AWS::EC2::NetworkInterface". */
import { attribute, flag, listOf, named, text } from '../declare.js';
import { networkApi } from '../neutron/network-type.js';
import { asObject, asObjects, asText, given, textIn, textsIn } from '../property-values.js';
import type { ExistingScope, ResourceType } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import { idIn, part, ServiceCalls } from '../service-calls.js';
import { ALWAYS_CHECKED, UNKEPT_TAGS } from './shared-properties.js';

/** Of the properties as the port is made: the network of the subnet. */
const NETWORK = 'network_id';

const plain = restResource({
  name: 'AWS::EC2::NetworkInterface',
  description: 'A port of a network, as Amazon describes one.',
  api: networkApi('port'),
  properties: {
    Description: text('What it is for; it is kept nowhere.'),
    GroupSet: listOf(
      named('neutron.security_group', 'A security group.'),
      'Its security groups; by default that of the project.',
      { updatable: true },
    ),
    PrivateIpAddress: text('Its address.'),
    SourceDestCheck: flag('Whether it is held to its addresses.', { notOffered: ALWAYS_CHECKED }),
    SubnetId: named('neutron.subnet', 'The subnet of its address.', { required: true }),
    Tags: UNKEPT_TAGS,
  },
  attributes: {
    PrivateIpAddress: {
      ...attribute('string', 'Its address.'),
      from: ({ fixed_ips: addresses }) => asObjects(addresses)[0]?.['ip_address'],
    },
  },
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

export const networkInterface: ResourceType = {
  ...plain,
  async create(scope) {
    const path = `/v2.0/subnets/${part(textIn(scope.properties, 'SubnetId') ?? '')}`;
    const { subnet } = await new ServiceCalls(scope, 'network').get(path);
    const network = asText(asObject(subnet)?.['network_id']);
    return plain.create({ ...scope, properties: { ...scope.properties, [NETWORK]: network } });
  },
};

/** The group that each project has. */
async function ownGroup({ stack }: ExistingScope, calls: ServiceCalls): Promise<string> {
  const query = { name: 'default', project_id: stack.projectId };
  const { security_groups: groups } = await calls.get('/v2.0/security-groups', query);
  return idIn(asObjects(groups)[0] ?? {});
}
