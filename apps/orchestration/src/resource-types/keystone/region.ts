import { flag, named, text, UPDATABLE } from '../declare.js';
import { given, textIn } from '../property-values.js';
import { restResource } from '../rest-resource.js';
import { identityApi, sinceVersion } from './identity-type.js';

export const region = restResource({
  name: 'OS::Keystone::Region',
  description: 'A part of the cloud, as endpoints name it.',
  support: sinceVersion('6.0.0'),
  api: identityApi('region'),
  properties: {
    id: text('Its id; by default one is made.'),
    parent_region: named('keystone.region', 'The region that it is in.', UPDATABLE),
    description: text('What it is for.', UPDATABLE),
    enabled: flag('Whether it is used.', { default: true, updatable: true }),
  },
  attributes: {},
  body: (properties) => ({
    ...given(properties, 'id', 'description', 'enabled'),
    parent_region_id: textIn(properties, 'parent_region'),
  }),
  change: { method: 'PATCH', createOnly: ['id'], cleared: { description: '' } },
});
