/** Of nearly every type that a member of a project may have resources of. */
import { OF_AMAZON } from './typed-amazon.fixture.js';
import { OF_HEAT } from './typed-orchestration.fixture.js';
import { SECRETS } from './typed-secrets.fixture.js';
import { attr, ref, rename, type Resources } from './typed-stacks.fixture.js';

const NETWORKS: Resources = {
  net: { type: 'OS::Neutron::Net', changes: [rename('net'), { tags: ['a'] }] },
  spare_net: {
    type: 'OS::Neutron::Net',
    changes: [
      { admin_state_up: false },
      { port_security_enabled: false },
      { dns_domain: 'typed.example.' },
      { value_specs: { mtu: 1400 } },
    ],
  },
  subnet: {
    type: 'OS::Neutron::Subnet',
    properties: { network: ref('net'), cidr: '10.21.0.0/24' },
    changes: [rename('subnet'), { dns_nameservers: ['192.0.2.53'] }, { tags: ['a'] }],
  },
  spare_subnet: {
    type: 'OS::Neutron::Subnet',
    properties: { network: ref('spare_net'), cidr: '10.22.0.0/24' },
    changes: [
      { enable_dhcp: false },
      { allocation_pools: [{ start: '10.22.0.10', end: '10.22.0.20' }] },
      { gateway_ip: '10.22.0.254' },
      { host_routes: [{ destination: '10.9.0.0/16', nexthop: '10.22.0.9' }] },
    ],
  },
  router: {
    type: 'OS::Neutron::Router',
    changes: [
      rename('router'),
      { admin_state_up: false },
      { admin_state_up: true, tags: ['a'] },
      { external_gateway_info: { network: 'outside' } },
    ],
    properties: { external_gateway_info: { network: 'outside' } },
  },
  inside: {
    type: 'OS::Neutron::RouterInterface',
    properties: { router: ref('router'), subnet: ref('subnet') },
  },
  route: {
    type: 'OS::Neutron::ExtraRoute',
    properties: { router_id: ref('router'), destination: '10.90.0.0/24', nexthop: '10.21.0.90' },
  },
  routes: {
    type: 'OS::Neutron::ExtraRouteSet',
    properties: {
      router: ref('router'),
      routes: [{ destination: '10.91.0.0/24', nexthop: '10.21.0.91' }],
    },
    changes: [
      {
        routes: [
          { destination: '10.91.0.0/24', nexthop: '10.21.0.92' },
          { destination: '10.93.0.0/24', nexthop: '10.21.0.91' },
        ],
      },
      { routes: [] },
    ],
  },
  group: {
    type: 'OS::Neutron::SecurityGroup',
    properties: { rules: [{ protocol: 'tcp', port_range_min: 22, port_range_max: 22 }] },
    changes: [rename('group'), { description: 'typed' }, { rules: [{ protocol: 'udp' }] }],
  },
  rule: {
    type: 'OS::Neutron::SecurityGroupRule',
    properties: { security_group: ref('group'), protocol: 'icmp' },
  },
  port: {
    type: 'OS::Neutron::Port',
    properties: { network: ref('net'), fixed_ips: [{ subnet: ref('subnet') }] },
    changes: [
      rename('port'),
      { security_groups: [ref('group')] },
      { allowed_address_pairs: [{ ip_address: '10.21.0.200' }] },
      { admin_state_up: false },
      { tags: ['a'], dns_name: 'typed' },
    ],
  },
  floating: {
    type: 'OS::Neutron::FloatingIP',
    properties: { floating_network: 'outside' },
    depends_on: 'inside',
  },
  association: {
    type: 'OS::Neutron::FloatingIPAssociation',
    properties: { floatingip_id: ref('floating'), port_id: ref('port') },
    changes: [{ fixed_ip_address: attr('port', 'fixed_ips', 0, 'ip_address') }],
  },
  forwarded: {
    type: 'OS::Neutron::FloatingIP',
    properties: { floating_network: 'outside' },
    depends_on: 'inside',
  },
  forward_port: {
    type: 'OS::Neutron::Port',
    properties: { network: ref('net'), fixed_ips: [{ subnet: ref('subnet') }] },
  },
  forward: {
    type: 'OS::Neutron::FloatingIPPortForward',
    properties: {
      floating_ip: ref('forwarded'),
      internal_port: ref('forward_port'),
      protocol: 'tcp',
      internal_ip_address: attr('forward_port', 'fixed_ips', 0, 'ip_address'),
      internal_port_number: 80,
      external_port: 8080,
    },
    changes: [{ external_port: 8081 }, { internal_port_number: 81 }, { protocol: 'udp' }],
  },
  addresses: {
    type: 'OS::Neutron::AddressGroup',
    properties: { addresses: ['10.1.0.0/16'] },
    changes: [rename('addresses'), { description: 'typed' }, { addresses: ['10.2.0.0/16'] }],
  },
  scope: { type: 'OS::Neutron::AddressScope', changes: [rename('scope')] },
  pool_of_subnets: {
    type: 'OS::Neutron::SubnetPool',
    properties: { prefixes: ['10.30.0.0/16'], default_prefixlen: 26 },
    changes: [
      rename('subnets'),
      { default_prefixlen: 25 },
      { min_prefixlen: 20 },
      { max_prefixlen: 28 },
      { prefixes: ['10.30.0.0/16', '10.31.0.0/16'], tags: ['a'] },
      { default_quota: 1024 },
      { address_scope: ref('scope') },
    ],
  },
  shared_net: {
    type: 'OS::Neutron::RBACPolicy',
    properties: {
      object_type: 'network',
      object_id: ref('spare_net'),
      action: 'access_as_shared',
      target_tenant: '0123456789abcdef0123456789abcdef',
    },
    changes: [{ target_tenant: 'fedcba9876543210fedcba9876543210' }],
  },
  trunk_port: { type: 'OS::Neutron::Port', properties: { network: ref('net') } },
  sub_port: { type: 'OS::Neutron::Port', properties: { network: ref('net') } },
  trunk: {
    type: 'OS::Neutron::Trunk',
    properties: { port: ref('trunk_port') },
    changes: [
      rename('trunk'),
      { description: 'typed' },
      { sub_ports: [{ port: ref('sub_port'), segmentation_type: 'vlan', segmentation_id: 7 }] },
      { sub_ports: [] },
    ],
  },
};

const SERVERS: Resources = {
  key: { type: 'OS::Nova::KeyPair', properties: { name: 'typed', save_private_key: true } },
  servers: { type: 'OS::Nova::ServerGroup', properties: { policies: ['soft-anti-affinity'] } },
  server: {
    type: 'OS::Nova::Server',
    properties: {
      image: 'tiny',
      flavor: 'm1.tiny',
      key_name: ref('key'),
      networks: [{ subnet: ref('subnet') }],
      scheduler_hints: { group: ref('servers') },
      user_data_format: 'SOFTWARE_CONFIG',
      user_data: ref('config'),
      user_data_update_policy: 'IGNORE',
    },
    changes: [
      rename('server'),
      { metadata: { tier: 'web', count: 2 } },
      { tags: ['a'] },
      { flavor: 'm1.small' },
      { networks: [{ subnet: ref('subnet') }, { network: ref('net') }] },
      { user_data: 'other' },
      { software_config_transport: 'POLL_TEMP_URL' },
    ],
  },
  instance: {
    type: 'AWS::EC2::Instance',
    properties: { ImageId: 'tiny', InstanceType: 'm1.tiny', SubnetId: ref('subnet') },
    changes: [{ Tags: [{ Key: 'a', Value: 'b' }] }, { InstanceType: 'm1.small' }],
  },
  launch: {
    type: 'AWS::AutoScaling::LaunchConfiguration',
    properties: { ImageId: 'tiny', InstanceType: 'm1.tiny' },
  },
  instances: {
    type: 'AWS::AutoScaling::AutoScalingGroup',
    properties: {
      LaunchConfigurationName: ref('launch'),
      MinSize: 0,
      MaxSize: 1,
      AvailabilityZones: ['nova'],
      VPCZoneIdentifier: [ref('subnet')],
    },
    changes: [{ MaxSize: 2 }, { DesiredCapacity: 1 }, { MinSize: 1 }, { Cooldown: 5 }],
  },
  instances_policy: {
    type: 'AWS::AutoScaling::ScalingPolicy',
    properties: {
      AutoScalingGroupName: ref('instances'),
      ScalingAdjustment: 1,
      AdjustmentType: 'ChangeInCapacity',
    },
    changes: [{ ScalingAdjustment: 2 }, { Cooldown: 9 }, { AdjustmentType: 'ExactCapacity' }],
  },
};

const BALANCERS: Resources = {
  balancer: {
    type: 'OS::Octavia::LoadBalancer',
    properties: { vip_subnet: ref('subnet') },
    changes: [rename('balancer'), { description: 'typed' }, { admin_state_up: false }],
  },
  listener: {
    type: 'OS::Octavia::Listener',
    properties: { loadbalancer: ref('balancer'), protocol: 'HTTP', protocol_port: 80 },
    changes: [
      rename('listener'),
      { connection_limit: 9 },
      { allowed_cidrs: ['10.0.0.0/8'] },
      { description: 'typed', admin_state_up: false },
    ],
  },
  pool: {
    type: 'OS::Octavia::Pool',
    properties: { listener: ref('listener'), protocol: 'HTTP', lb_algorithm: 'ROUND_ROBIN' },
    changes: [
      rename('pool'),
      { lb_algorithm: 'LEAST_CONNECTIONS' },
      { session_persistence: { type: 'HTTP_COOKIE' } },
      { description: 'typed', admin_state_up: false },
    ],
  },
  member: {
    type: 'OS::Octavia::PoolMember',
    properties: {
      pool: ref('pool'),
      address: attr('port', 'fixed_ips', 0, 'ip_address'),
      protocol_port: 80,
      subnet: ref('subnet'),
    },
    changes: [{ weight: 5 }, { admin_state_up: false }, { tags: ['a'] }],
  },
  monitor: {
    type: 'OS::Octavia::HealthMonitor',
    properties: { pool: ref('pool'), type: 'HTTP', delay: 9, timeout: 3, max_retries: 2 },
    changes: [
      { delay: 8 },
      { timeout: 4, max_retries: 3 },
      { url_path: '/up' },
      { http_method: 'HEAD', expected_codes: '204' },
      { admin_state_up: false },
    ],
  },
  policy: {
    type: 'OS::Octavia::L7Policy',
    properties: {
      listener: ref('listener'),
      action: 'REDIRECT_TO_URL',
      redirect_url: 'http://example.com',
    },
    changes: [
      rename('policy'),
      { redirect_url: 'http://example.org' },
      { position: 1, description: 'typed' },
      { admin_state_up: false },
    ],
  },
  path_rule: {
    type: 'OS::Octavia::L7Rule',
    properties: {
      l7policy: ref('policy'),
      type: 'PATH',
      compare_type: 'STARTS_WITH',
      value: '/old',
    },
    changes: [{ value: '/older' }, { invert: true }, { compare_type: 'EQUAL_TO' }],
  },
};

const BUCKETS: Resources = {
  container: {
    type: 'OS::Swift::Container',
    properties: { 'X-Container-Meta': { tier: 'typed' } },
  },
  bucket: {
    type: 'AWS::S3::Bucket',
    properties: { Tags: [{ Key: 'tier', Value: 'typed' }] },
  },
};

/** Of simulated nodes. */
const CLUSTERS: Resources = {
  cluster_template: {
    type: 'OS::Magnum::ClusterTemplate',
    properties: {
      coe: 'kubernetes',
      image: 'node',
      flavor: 'm1.micro',
      master_flavor: 'm1.micro',
      external_network: 'outside',
      docker_storage_driver: 'overlay',
    },
  },
  cluster: {
    type: 'OS::Magnum::Cluster',
    properties: { cluster_template: ref('cluster_template'), master_count: 3 },
    changes: [{ node_count: 2 }, { node_count: 1 }],
  },
};

/** What a member of a project may have. */
export const OF_MEMBERS: Resources = {
  ...NETWORKS,
  ...SERVERS,
  ...BALANCERS,
  ...SECRETS,
  ...OF_AMAZON,
  ...BUCKETS,
  ...CLUSTERS,
  ...OF_HEAT,
};
