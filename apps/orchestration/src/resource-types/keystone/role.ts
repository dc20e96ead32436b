import { named, text, UPDATABLE } from '../declare.js';
import { textIn } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { identityApi, sinceVersion } from './identity-type.js';

export const role = restResource({
  name: 'OS::Keystone::Role',
  description: 'What a user may have on a project or a domain.',
  support: sinceVersion('2015.1'),
  api: identityApi('role'),
  properties: {
    name: text('The name of the role.', UPDATABLE),
    domain: named('keystone.domain', 'The domain that it is in, if it is in one.', {
      since: '16.0.0',
    }),
  },
  attributes: {},
  body: (properties, scope) => ({
    name: nameOf(properties, scope),
    domain_id: textIn(properties, 'domain'),
  }),
  change: { method: 'PATCH' },
});
