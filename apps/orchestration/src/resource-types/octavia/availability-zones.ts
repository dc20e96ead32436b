/** Where load balancers may be, and what their provider makes of it; for administrators. */
import { custom, flag, named, text, UPDATABLE } from '../declare.js';
import type { SupportStatus } from '../../constraints/property-schema.js';
import { given, textIn } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { balancerApi } from './balancer-type.js';

const ZONES: SupportStatus = { status: 'SUPPORTED', version: '24.0.0' };

export const balancerZoneProfile = restResource({
  name: 'OS::Octavia::AvailabilityZoneProfile',
  description: 'Where a provider puts load balancers; for administrators.',
  support: ZONES,
  api: balancerApi('availabilityzoneprofiles', 'availability_zone_profile'),
  properties: {
    name: text('The name of the profile.', UPDATABLE),
    availability_zone_data: text('An object of what the provider is told, as JSON.', {
      required: true,
      updatable: true,
      constraints: [custom('json_string')],
    }),
    provider_name: text('The provider that reads it.', UPDATABLE),
  },
  attributes: {},
  body: (properties, scope) => ({
    ...given(properties, 'availability_zone_data', 'provider_name'),
    name: nameOf(properties, scope),
  }),
  // A profile without a provider there is not: that of before stays.
  change: { method: 'PUT', kept: ['provider_name'] },
});

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
  body: (properties, scope) => ({
    ...given(properties, 'description', 'enabled'),
    name: nameOf(properties, scope),
    availability_zone_profile_id: textIn(properties, 'availability_zone_profile'),
  }),
  change: { method: 'PUT', fixed: ['name'], cleared: { description: '' } },
});
