import { attribute, decimal, flag, named, oneOf, range, text, UPDATABLE } from '../declare.js';
import { given, isGiven, textIn } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { BALANCER, balancerApi, PROVISIONED } from './balancer-type.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

/** What each action needs; the other of the two does not go with it. */
const TARGETS: Readonly<Record<string, string | undefined>> = {
  REDIRECT_TO_POOL: 'redirect_pool',
  REDIRECT_TO_URL: 'redirect_url',
};

export const l7Policy = restResource({
  name: 'OS::Octavia::L7Policy',
  description: 'What becomes of a request that rules match.',
  support: BALANCER,
  api: balancerApi('l7policies', 'l7policy'),
  properties: {
    name: text('The name of the policy.', UPDATABLE),
    description: text('What it is for.', UPDATABLE),
    admin_state_up: flag('Whether it is heeded.', { default: true, updatable: true }),
    action: text('What becomes of the request.', {
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
  attributes: { rules: attribute('list', 'Its rules.') },
  validate,
  body: (properties, scope) => ({
    ...given(properties, 'description', 'admin_state_up', 'action', 'redirect_url', 'position'),
    name: nameOf(properties, scope),
    listener_id: textIn(properties, 'listener'),
    redirect_pool_id: textIn(properties, 'redirect_pool'),
  }),
  states: PROVISIONED,
  goesLater: true,
  change: { method: 'PUT', cleared: { description: '' }, kept: ['position'] },
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
