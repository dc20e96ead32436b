/** Of the types whose resources take an administrator. */
import { ref, rename, type Resources } from './typed-stacks.fixture.js';

export const OF_ADMINISTRATORS: Resources = {
  domain: {
    type: 'OS::Keystone::Domain',
    properties: { name: 'typed-stack' },
    changes: [{ description: 'typed' }, { name: 'typed-stacks' }, { enabled: false }],
  },
  project: {
    type: 'OS::Keystone::Project',
    changes: [rename('project'), { description: 'typed' }, { tags: ['a'] }, { enabled: false }],
  },
  role: { type: 'OS::Keystone::Role', changes: [rename('role')] },
  people: {
    type: 'OS::Keystone::Group',
    changes: [
      rename('people'),
      { description: 'typed' },
      { roles: [{ role: ref('role'), project: ref('project') }] },
    ],
  },
  user: {
    type: 'OS::Keystone::User',
    properties: { password: 'a-secret-1' },
    changes: [
      rename('user'),
      { email: 'typed@example.com' },
      { groups: [ref('people')] },
      { password: 'a-secret-2' },
      { roles: [{ role: ref('role'), project: ref('project') }] },
      { enabled: false, description: 'typed' },
    ],
  },
  of_user: {
    type: 'OS::Keystone::UserRoleAssignment',
    properties: { user: ref('user'), roles: [{ role: 'reader', project: ref('project') }] },
    changes: [{ roles: [{ role: 'member', project: ref('project') }] }],
  },
  of_people: {
    type: 'OS::Keystone::GroupRoleAssignment',
    properties: { group: ref('people'), roles: [{ role: 'reader', project: ref('project') }] },
    changes: [{ roles: [{ role: 'member', project: ref('project') }] }],
  },
  region: {
    type: 'OS::Keystone::Region',
    properties: { id: 'typed-region' },
    changes: [{ description: 'typed' }],
  },
  service: {
    type: 'OS::Keystone::Service',
    properties: { type: 'typed' },
    changes: [rename('service'), { description: 'typed' }, { enabled: false }],
  },
  endpoint: {
    type: 'OS::Keystone::Endpoint',
    properties: { service: ref('service'), interface: 'public', url: 'http://typed' },
    changes: [{ url: 'http://other' }, { region: ref('region') }, { interface: 'internal' }],
  },
  flavor: {
    type: 'OS::Nova::Flavor',
    properties: { ram: 64, vcpus: 1, is_public: false },
    changes: [{ extra_specs: { 'hw:cpu_policy': 'shared' } }, { tenants: [ref('project')] }],
  },
  aggregate: {
    type: 'OS::Nova::HostAggregate',
    properties: { name: 'typed' },
    changes: [{ metadata: { a: 'b' } }, rename('aggregate'), { availability_zone: 'typed-zone' }],
  },
  quota: {
    type: 'OS::Nova::Quota',
    properties: { project: ref('project'), cores: 5 },
    changes: [{ cores: 6 }, { ram: 1024 }, { instances: 7 }, { key_pairs: 8 }],
  },
  network_quota: {
    type: 'OS::Neutron::Quota',
    properties: { project: ref('project'), port: 5 },
    changes: [{ port: 6 }, { network: 7 }, { subnet: 8 }, { router: 9 }, { floatingip: 1 }],
  },
  qos: {
    type: 'OS::Neutron::QoSPolicy',
    changes: [rename('qos'), { description: 'typed' }, { shared: true }],
  },
  limit: {
    type: 'OS::Neutron::QoSBandwidthLimitRule',
    properties: { policy: ref('qos'), max_kbps: 1000 },
    changes: [{ max_kbps: 2000 }, { max_burst_kbps: 3000 }],
  },
  mark: {
    type: 'OS::Neutron::QoSDscpMarkingRule',
    properties: { policy: ref('qos'), dscp_mark: 10 },
    changes: [{ dscp_mark: 12 }],
  },
  promise: {
    type: 'OS::Neutron::QoSMinimumBandwidthRule',
    properties: { policy: ref('qos'), min_kbps: 100 },
    changes: [{ min_kbps: 200 }, { direction: 'ingress' }],
  },
  packets: {
    type: 'OS::Neutron::QoSMinimumPacketRateRule',
    properties: { policy: ref('qos'), min_kpps: 1 },
    changes: [{ min_kpps: 2 }, { direction: 'any' }],
  },
  tunnel: {
    type: 'OS::Neutron::ProviderNet',
    properties: { network_type: 'geneve', segmentation_id: '70001' },
    changes: [
      rename('tunnel'),
      { shared: false },
      { router_external: true },
      { dns_domain: 'typed.example.', tags: ['a'] },
      { port_security_enabled: false, admin_state_up: false },
    ],
  },
  balancer_profile: {
    type: 'OS::Octavia::FlavorProfile',
    properties: { provider_name: 'haproxy', flavor_data: '{"threads": 1}' },
  },
  spare_profile: {
    type: 'OS::Octavia::FlavorProfile',
    properties: { provider_name: 'haproxy', flavor_data: '{"threads": 1}' },
    changes: [rename('profile'), { flavor_data: '{"threads": 2}' }],
  },
  balancer_flavor: {
    type: 'OS::Octavia::Flavor',
    properties: { flavor_profile: ref('balancer_profile') },
    changes: [rename('balancers'), { description: 'typed' }, { enabled: false }],
  },
  zone_profile: {
    type: 'OS::Octavia::AvailabilityZoneProfile',
    properties: { provider_name: 'haproxy', availability_zone_data: '{"compute_zone": "north"}' },
  },
  spare_zone_profile: {
    type: 'OS::Octavia::AvailabilityZoneProfile',
    properties: { provider_name: 'haproxy', availability_zone_data: '{}' },
    changes: [rename('zones'), { availability_zone_data: '{"compute_zone": "south"}' }],
  },
  balancer_zone: {
    type: 'OS::Octavia::AvailabilityZone',
    properties: { availability_zone_profile: ref('zone_profile') },
    changes: [{ description: 'typed' }, { enabled: false }],
  },
  balancer_quota: {
    type: 'OS::Octavia::Quota',
    properties: { project: ref('project'), pool: 5 },
    changes: [{ pool: 6 }, { member: 7 }, { listener: 8 }, { loadbalancer: 9 }],
  },
};
