import { named, text } from '../declare.js';
import { given, numberIn, textIn } from '../property-values.js';
import { restResource } from '../rest-resource.js';
import { checkApart, networkApi } from './network-type.js';
import { PROTOCOLS, RULE_PROPERTIES } from './security-group-properties.js';
import { PropertyError } from '../../constraints/property.errors.js';

export const securityGroupRule = restResource({
  name: 'OS::Neutron::SecurityGroupRule',
  description: 'A rule of a security group, by itself.',
  support: { status: 'SUPPORTED', version: '7.0.0' },
  api: networkApi('security_group_rule', 'security-group-rules'),
  properties: {
    security_group: named('neutron.security_group', 'The group that it is of.', { required: true }),
    description: text('What it is for.'),
    ...RULE_PROPERTIES,
    protocol: text('The protocol, by name or number.', {
      default: 'tcp',
      constraints: [PROTOCOLS],
    }),
    remote_group: named('neutron.security_group', 'The group at the other end.'),
  },
  attributes: {},
  validate(properties) {
    checkApart(properties, 'remote_group', 'remote_ip_prefix');
    const [first, last] = ['port_range_min', 'port_range_max'].map((name) =>
      numberIn(properties, name),
    );
    const isIcmp = ['icmp', 'icmpv6', 'ipv6-icmp'].includes(textIn(properties, 'protocol') ?? '');
    if (first !== undefined && last !== undefined && !isIcmp && first > last)
      throw new PropertyError(
        'port_range_min',
        `The minimum port number ${first} must be less than or equal to the maximum ${last}.`,
      );
  },
  body: (properties) => ({
    ...given(properties, 'description', 'direction', 'ethertype', 'protocol'),
    ...given(properties, 'port_range_min', 'port_range_max', 'remote_ip_prefix'),
    security_group_id: textIn(properties, 'security_group'),
    remote_group_id: textIn(properties, 'remote_group'),
  }),
});
