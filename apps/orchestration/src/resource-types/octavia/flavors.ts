/** Flavors and availability zones of load balancers with their profiles; for administrators. */
import type { SupportStatus } from '../../constraints/property-schema.js';
import { attribute, custom, flag, named, text, UPDATABLE } from '../declare.js';
import type { ResourceType } from '../resource-type.js';
import { restResource, type RestDeclaration } from '../rest-resource.js';
import { balancerApi, OFFERED } from './balancer-type.js';

/** @param data the property with the provider's data, such as `flavor_data` */
function profileType(
  type: Pick<RestDeclaration, 'name' | 'description' | 'support' | 'api'>,
  data: string,
): ResourceType {
  return restResource({
    ...type,
    properties: {
      name: text('The name of the profile.', UPDATABLE),
      [data]: text('The data for the provider, as a JSON object.', {
        required: true,
        updatable: true,
        constraints: [custom('json_string')],
      }),
      provider_name: text('The provider that reads it.', UPDATABLE),
    },
    attributes: {},
    // A profile needs a provider, so an omitted one stays.
    change: { method: 'PUT', retained: ['provider_name'] },
  });
}

export const balancerFlavorProfile = profileType(
  {
    name: 'OS::Octavia::FlavorProfile',
    description: 'A flavor profile of load balancers; for administrators.',
    support: OFFERED,
    api: balancerApi('flavorprofiles', 'flavorprofile'),
  },
  'flavor_data',
);

export const balancerFlavor = restResource({
  name: 'OS::Octavia::Flavor',
  description: 'A flavor of load balancers; for administrators.',
  support: OFFERED,
  api: balancerApi('flavors', 'flavor'),
  properties: {
    description: text('The description.', { updatable: true, default: '' }),
    enabled: flag('Whether new load balancers may have it.', { updatable: true, default: true }),
    flavor_profile: named('octavia.flavorprofile', 'The flavor profile.', {
      required: true,
    }),
    name: text('The name of the flavor; no other has it.', UPDATABLE),
  },
  attributes: {
    flavor_profile_id: attribute('string', 'The flavor profile.'),
  },
  fields: { flavor_profile: 'flavor_profile_id' },
  change: { method: 'PUT', cleared: { description: '' } },
});

const ZONES: SupportStatus = { status: 'SUPPORTED', version: '24.0.0' };

export const balancerZoneProfile = profileType(
  {
    name: 'OS::Octavia::AvailabilityZoneProfile',
    description: 'An availability zone profile of load balancers; for administrators.',
    support: ZONES,
    api: balancerApi('availabilityzoneprofiles', 'availability_zone_profile'),
  },
  'availability_zone_data',
);

export const balancerZone = restResource({
  name: 'OS::Octavia::AvailabilityZone',
  description: 'An availability zone of load balancers; for administrators.',
  support: ZONES,
  // Zones are identified by name.
  api: { ...balancerApi('availabilityzones', 'availability_zone'), id: 'name' },
  properties: {
    description: text('The description.', { updatable: true, default: '' }),
    enabled: flag('Whether new load balancers may be in it.', { updatable: true, default: true }),
    name: text('The name of the zone; no other has it.', UPDATABLE),
    availability_zone_profile: named(
      'octavia.availabilityzoneprofile',
      'The availability zone profile.',
      { required: true },
    ),
  },
  attributes: {},
  fields: { availability_zone_profile: 'availability_zone_profile_id' },
  change: { method: 'PUT', fixed: ['name'], cleared: { description: '' } },
});
