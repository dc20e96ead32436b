import { flag, named, oneOf, text, UPDATABLE } from '../declare.js';
import { given, isGiven, textIn } from '../property-values.js';
import { restResource } from '../rest-resource.js';
import { part } from '../service-calls.js';
import { BALANCER, balancerApi, PROVISIONED } from './balancer-type.js';
import { PropertyError } from '../../constraints/property.errors.js';

export const l7Rule = restResource({
  name: 'OS::Octavia::L7Rule',
  description: 'What a policy looks for in a request.',
  support: BALANCER,
  api: balancerApi(
    (properties) => `l7policies/${part(textIn(properties, 'l7policy') ?? '')}/rules`,
    'rule',
  ),
  properties: {
    admin_state_up: flag('Whether it is heeded.', { default: true, updatable: true }),
    l7policy: named('octavia.l7policy', 'The policy that it is of.', { required: true }),
    type: text('What of the request it looks at.', {
      required: true,
      updatable: true,
      constraints: [oneOf('HOST_NAME', 'PATH', 'FILE_TYPE', 'HEADER', 'COOKIE')],
    }),
    compare_type: text('How it compares.', {
      required: true,
      updatable: true,
      constraints: [oneOf('REGEX', 'STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'EQUAL_TO')],
    }),
    invert: flag('Whether it holds where the comparison does not.', {
      default: false,
      updatable: true,
    }),
    key: text('The name of the header or cookie.', UPDATABLE),
    value: text('What it compares with.', { required: true, updatable: true }),
  },
  attributes: {},
  validate(properties) {
    const needsKey = ['HEADER', 'COOKIE'].includes(textIn(properties, 'type') ?? '');
    if (needsKey && !isGiven(properties, 'key'))
      throw new PropertyError(
        'key',
        'Property key is missing. This property should be specified for rules of HEADER and COOKIE types.',
      );
  },
  body: (properties) =>
    given(properties, 'admin_state_up', 'type', 'compare_type', 'invert', 'key', 'value'),
  states: PROVISIONED,
  goesLater: true,
  change: { method: 'PUT' },
});
