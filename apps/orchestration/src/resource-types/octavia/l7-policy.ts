import type { Properties } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import { attribute, decimal, flag, named, oneOf, range, text, UPDATABLE } from '../declare.js';
import { isGiven, textIn } from '../property-values.js';
import { restResource } from '../rest-resource.js';
import { part } from '../service-calls.js';
import { BALANCER, balancerApi, PROVISIONED } from './balancer-type.js';

const TARGETS: Readonly<Record<string, string | undefined>> = {
  REDIRECT_TO_POOL: 'redirect_pool',
  REDIRECT_TO_URL: 'redirect_url',
};

export const l7Policy = restResource({
  name: 'OS::Octavia::L7Policy',
  description: 'The action for requests that match its rules.',
  support: BALANCER,
  api: balancerApi('l7policies', 'l7policy'),
  properties: {
    name: text('The name of the policy.', UPDATABLE),
    description: text('The description.', UPDATABLE),
    admin_state_up: flag('Whether it is in effect.', { default: true, updatable: true }),
    action: text('The action.', {
      required: true,
      updatable: true,
      constraints: [oneOf('REJECT', 'REDIRECT_TO_POOL', 'REDIRECT_TO_URL')],
    }),
    redirect_pool: named('octavia.pool', 'The pool of REDIRECT_TO_POOL.', UPDATABLE),
    redirect_url: text('The URL of REDIRECT_TO_URL.', UPDATABLE),
    position: decimal('Its place among the policies of the listener; by default the last.', {
      updatable: true,
      constraints: [range(1)],
    }),
    listener: named('octavia.listener', 'The listener whose requests it is of.', {
      required: true,
    }),
  },
  attributes: { rules: attribute('list', 'The rules.') },
  validate,
  fields: { listener: 'listener_id', redirect_pool: 'redirect_pool_id' },
  states: PROVISIONED,
  deletesAsynchronously: true,
  change: { method: 'PUT', cleared: { description: '' }, retained: ['position'] },
});

function validate(properties: Properties): void {
  const action = textIn(properties, 'action') ?? '';
  const target = TARGETS[action];
  for (const name of Object.values(TARGETS)) {
    if (name === undefined || (name === target) === isGiven(properties, name)) continue;
    throw new PropertyError(
      name,
      name === target
        ? `Property ${name} is required when action type is set to ${action}.`
        : `Property ${name} is not allowed when action type is set to ${action}.`,
    );
  }
}

export const l7Rule = restResource({
  name: 'OS::Octavia::L7Rule',
  description: 'A condition of a layer 7 policy.',
  support: BALANCER,
  api: balancerApi(
    (properties) => `l7policies/${part(textIn(properties, 'l7policy') ?? '')}/rules`,
    'rule',
  ),
  properties: {
    admin_state_up: flag('Whether it is in effect.', { default: true, updatable: true }),
    l7policy: named('octavia.l7policy', 'The policy that it is of.', { required: true }),
    type: text('The part of the request that is compared.', {
      required: true,
      updatable: true,
      constraints: [oneOf('HOST_NAME', 'PATH', 'FILE_TYPE', 'HEADER', 'COOKIE')],
    }),
    compare_type: text('The type of the comparison.', {
      required: true,
      updatable: true,
      constraints: [oneOf('REGEX', 'STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'EQUAL_TO')],
    }),
    invert: flag('Whether the result of the comparison is inverted.', {
      default: false,
      updatable: true,
    }),
    key: text('The name of the header or cookie.', UPDATABLE),
    value: text('The value to compare with.', { required: true, updatable: true }),
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
  fields: { l7policy: null },
  states: PROVISIONED,
  deletesAsynchronously: true,
  change: { method: 'PUT' },
});
