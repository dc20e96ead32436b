import { flag, listOf, mapOf, named, oneOf, text } from '../declare.js';
import { given } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { networkApi } from './network-type.js';
import { PROTOCOLS, RULE_PROPERTIES } from './security-group-properties.js';
import { settleRules } from './security-group-rules.js';
import { PropertyError } from '../../constraints/property.errors.js';

export const securityGroup = restResource({
  name: 'OS::Neutron::SecurityGroup',
  description: 'Which packets may reach, and leave, the ports that are in it.',
  support: { status: 'SUPPORTED', version: '2014.1' },
  api: { ...networkApi('security_group', 'security-groups') },
  properties: {
    name: text('The name of the group; others may have the same.', { updatable: true }),
    description: text('What it is for.', { updatable: true }),
    rules: listOf(
      mapOf(
        {
          ...RULE_PROPERTIES,
          protocol: text('The protocol, by name or number; by default all.', {
            constraints: [PROTOCOLS],
          }),
          remote_mode: text('Whether the other end is told by its addresses, or by its group.', {
            default: 'remote_ip_prefix',
            constraints: [oneOf('remote_ip_prefix', 'remote_group_id')],
          }),
          remote_group_id: named(
            'neutron.security_group',
            'The group at the other end; by default this one. For the mode remote_group_id.',
          ),
          description: text('What the rule is for.', { since: '27.0.0' }),
        },
        'A rule.',
      ),
      'What it lets pass. All leave its ports, unless there is a rule that says who may.',
      { default: [], updatable: true },
    ),
    stateful: flag('Whether answers to what may pass may pass, too.', {
      updatable: true,
      since: '27.0.0',
    }),
  },
  attributes: {},
  validate({ name }) {
    if (name === 'default')
      throw new PropertyError('name', 'Security groups cannot be assigned the name "default".');
  },
  body: (properties, scope) => ({
    ...given(properties, 'description', 'stateful'),
    name: nameOf(properties, scope),
  }),
  complete: settleRules,
  change: {
    method: 'PUT',
    cleared: { description: '', stateful: true },
    async aside(scope, { changed }, calls) {
      if (changed.has('rules')) await settleRules(scope, calls);
    },
  },
});
