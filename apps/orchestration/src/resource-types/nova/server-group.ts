import { decimal, listOf, mapOf, oneOf, text } from '../declare.js';
import { mapIn, textsIn, withoutNulls } from '../property-values.js';
import { restResource } from '../rest-resource.js';
import { computeOptions } from './nova-calls.js';
import { PropertyError } from '../../constraints/property.errors.js';

export const serverGroup = restResource({
  name: 'OS::Nova::ServerGroup',
  description: 'Servers that are to share a host, or not to.',
  support: { status: 'SUPPORTED', version: '2014.2' },
  api: {
    service: 'compute',
    collection: '/v2.1/os-server-groups',
    entity: 'server_group',
    options: computeOptions(),
  },
  properties: {
    name: text('The name of the group.'),
    policies: listOf(text('A policy.'), 'The policy, as a list of one.', {
      default: ['anti-affinity'],
      constraints: [oneOf('anti-affinity', 'affinity', 'soft-anti-affinity', 'soft-affinity')],
    }),
    rules: mapOf(
      { max_server_per_host: decimal('How many may share a host after all.') },
      'Further rules of the policy.',
      { since: '17.0.0' },
    ),
  },
  attributes: {},
  validate(properties) {
    const policies = textsIn(properties, 'policies') ?? [];
    if (policies.length !== 1)
      throw new PropertyError(
        'policies',
        `A server group has exactly one policy, not ${policies.length}.`,
      );
  },
  fields: { policies: null },
  body(properties) {
    const rules = withoutNulls(mapIn(properties, 'rules') ?? {});
    return {
      policy: textsIn(properties, 'policies')?.[0],
      rules: Object.keys(rules).length > 0 ? rules : undefined,
    };
  },
});
