/**
 * What load balancers may be and where, and what their provider makes of it; for administrators.
 */
import type { SupportStatus } from '../../constraints/property-schema.js';
import { attribute, custom, flag, named, text, UPDATABLE } from '../declare.js';
import type { ResourceType } from '../resource-type.js';
import { restResource, type RestDeclaration } from '../rest-resource.js';
import { balancerApi, OFFERED } from './balancer-type.js';

/** @param data the property of what the provider is told: `flavor_data` */
function profileType(
  type: Pick<RestDeclaration, 'name' | 'description' | 'support' | 'api'>,
  data: string,
): ResourceType {
  return restResource({
    ...type,
    properties: {
      name: text('The name of the profile.', UPDATABLE),
      [data]: text('An object of what the provider is told, as JSON.', {
        required: true,
        updatable: true,
        constraints: [custom('json_string')],
      }),
      provider_name: text('The provider that reads it.', UPDATABLE),
    },
    attributes: {},
    // A profile without a provider there is not: that of before stays.
    change: { method: 'PUT', kept: ['provider_name'] },
  });
}

export const balancerFlavorProfile = profileType(
  {
    name: 'OS::Octavia::FlavorProfile',
    description: 'What a provider makes of load balancers; for administrators.',
    support: OFFERED,
    api: balancerApi('flavorprofiles', 'flavorprofile'),
  },
  'flavor_data',
);

export const balancerFlavor = restResource({
  name: 'OS::Octavia::Flavor',
  description: 'What load balancers may be made as; for administrators.',
  support: OFFERED,
  api: balancerApi('flavors', 'flavor'),
  properties: {
    description: text('What it is for.', { updatable: true, default: '' }),
    enabled: flag('Whether new load balancers may have it.', { updatable: true, default: true }),
    flavor_profile: named('octavia.flavorprofile', 'The profile that says what they are.', {
      required: true,
    }),
    name: text('The name of the flavor; no other has it.', UPDATABLE),
  },
  attributes: {
    flavor_profile_id: attribute('string', 'The profile that says what they are.'),
  },
  fields: { flavor_profile: 'flavor_profile_id' },
  change: { method: 'PUT', cleared: { description: '' } },
});

const ZONES: SupportStatus = { status: 'SUPPORTED', version: '24.0.0' };

export const balancerZoneProfile = profileType(
  {
    name: 'OS::Octavia::AvailabilityZoneProfile',
    description: 'Where a provider puts load balancers; for administrators.',
    support: ZONES,
    api: balancerApi('availabilityzoneprofiles', 'availability_zone_profile'),
  },
  'availability_zone_data',
);

export const balancerZone = restResource({
  name: 'OS::Octavia::AvailabilityZone',
  description: 'A place that load balancers may be in; for administrators.',
  support: ZONES,
  // The service knows a zone by its name alone.
  api: { ...balancerApi('availabilityzones', 'availability_zone'), id: 'name' },
  properties: {
    description: text('What it is for.', { updatable: true, default: '' }),
    enabled: flag('Whether new load balancers may be in it.', { updatable: true, default: true }),
    name: text('The name of the zone; no other has it.', UPDATABLE),
    availability_zone_profile: named(
      'octavia.availabilityzoneprofile',
      'The profile that says where they are.',
      { required: true },
    ),
  },
  attributes: {},
  fields: { availability_zone_profile: 'availability_zone_profile_id' },
  change: { method: 'PUT', fixed: ['name'], cleared: { description: '' } },
});
