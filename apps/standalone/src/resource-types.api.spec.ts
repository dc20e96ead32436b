/** Types of resources of stacks at the services that have them. */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@cumulet/testing/free-port';
import { eventually } from '@cumulet/testing/settle';
import { TypedCloud } from './resource-types.fixture.js';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

let cloud: TestCloud;
let typed: TypedCloud;
let admin: string;
let demo: string;
let projectId: string;
let userId: string;
let s3Url: string;

beforeAll(async () => {
  const s3Port = String(await freePort());
  s3Url = `http://127.0.0.1:${s3Port}`;
  cloud = await startTestCloud(SERVICES, {
    LOADBALANCER_DATA_PLANE: 'simulated',
    S3_PORT: s3Port,
    S3_STORE: 'memory',
  });
  admin = await cloud.login('admin', cloud.secrets.adminPassword);
  demo = await cloud.login('demo', cloud.secrets.demoPassword);
  const { body } = await cloud.client.get('/identity/v3/auth/projects', { token: demo });
  const { projects } = body as { projects: { id: string }[] };
  projectId = projects[0]?.id ?? '';
  const token = await cloud.client.get('/identity/v3/auth/tokens', {
    token: demo,
    headers: { 'X-Subject-Token': demo },
  });
  userId = (token.body as { token: { user: { id: string } } }).token.user.id;
  typed = new TypedCloud(cloud, projectId, userId, s3Url);
  await makeImage();
});
afterEach(() => typed.removeAll());
afterAll(async () => {
  await typed.close();
  await cloud.stop();
});

/** One that guests boot, by the name `tiny`. */
async function makeImage(): Promise<void> {
  const image = await cloud.client.post('/image/v2/images', {
    token: demo,
    body: { name: 'tiny', disk_format: 'raw', container_format: 'bare' },
  });
  const { id } = image.body as { id: string };
  const sector = Buffer.alloc(512);
  sector.writeUInt16LE(0xaa55, 510);
  const headers = { 'Content-Type': 'application/octet-stream' };
  await cloud.client.put(`/image/v2/images/${id}/file`, { token: demo, headers, body: sector });
}

const make = (type: string, properties: Parameters<TypedCloud['make']>[2]) =>
  typed.make(demo, type, properties);
const makeAsAdmin = (type: string, properties: Parameters<TypedCloud['make']>[2]) =>
  typed.make(admin, type, properties);

describe('networks', () => {
  it('are created, connected, changed and deleted', async () => {
    const net = await make('OS::Neutron::Net', { tags: ['a'], port_security_enabled: true });
    const cidr = '10.1.0.0/24';
    const subnet = await make('OS::Neutron::Subnet', { network: net.id, cidr, tags: ['b'] });
    const outside = await makeAsAdmin('OS::Neutron::Net', {
      value_specs: { 'router:external': true },
      name: 'outside',
    });
    await makeAsAdmin('OS::Neutron::Subnet', { network_id: outside.id, cidr: '192.0.2.0/24' });
    const router = await make('OS::Neutron::Router', {
      external_gateway_info: { network: 'outside' },
    });
    await make('OS::Neutron::RouterInterface', { router_id: router.id, subnet_id: subnet.id });
    const group = await make('OS::Neutron::SecurityGroup', {
      rules: [
        { protocol: 'tcp', port_range_min: 22, port_range_max: 22 },
        { remote_mode: 'remote_group_id' },
        { direction: 'egress', remote_ip_prefix: '10.0.0.0/8' },
      ],
    });
    const port = await make('OS::Neutron::Port', {
      network: net.id,
      fixed_ips: [{ subnet: subnet.id, ip_address: '10.1.0.9' }],
      security_groups: [group.id],
    });
    const ip = await make('OS::Neutron::FloatingIP', {
      floating_network: 'outside',
      port_id: port.id,
    });
    expect(await ip.attribute('fixed_ip_address')).toBe('10.1.0.9');
    expect(await port.attribute('subnets')).toMatchObject([{ id: subnet.id, cidr }]);
    await typed.update(net, { name: 'renamed', tags: ['c'] });
    expect(await net.attribute('name')).toBe('renamed');
    await typed.update(group, { rules: [{ protocol: 'udp' }], description: 'for all' });
    const rules = (await group.type.read?.(group.scope))?.['security_group_rules'];
    expect(rules).toHaveLength(3);
    await typed.update(ip, { floating_network: 'outside' });
    await typed.update(router, {});
    expect(await router.attribute('external_gateway_info')).toBeNull();
  });

  it('have subnet pools, address scopes, address groups and policies', async () => {
    const scope = await make('OS::Neutron::AddressScope', {});
    const pool = await make('OS::Neutron::SubnetPool', {
      prefixes: ['10.8.0.0/16'],
      address_scope: scope.id,
      default_prefixlen: 26,
    });
    const net = await make('OS::Neutron::Net', {});
    const subnet = await make('OS::Neutron::Subnet', { network: net.id, subnetpool: pool.id });
    expect(await subnet.attribute('cidr')).toMatch(/\/26$/);
    const addresses = await make('OS::Neutron::AddressGroup', { addresses: ['10.0.0.0/8'] });
    await typed.update(addresses, { addresses: ['10.1.0.0/16', '10.2.0.0/16'] });
    await make('OS::Neutron::RBACPolicy', {
      object_type: 'network',
      object_id: net.id,
      action: 'access_as_shared',
      target_tenant: randomUUID(),
    });
    const policy = await makeAsAdmin('OS::Neutron::QoSPolicy', {});
    const rule = await makeAsAdmin('OS::Neutron::QoSBandwidthLimitRule', {
      policy: policy.id,
      max_kbps: 1000,
    });
    await typed.update(rule, { policy: policy.id, max_kbps: 2000 });
    expect(await policy.attribute('rules')).toMatchObject([{ max_kbps: 2000 }]);
  });

  it('have trunks', async () => {
    const net = await make('OS::Neutron::Net', {});
    const ports = [];
    for (let count = 0; count < 3; count += 1)
      ports.push((await make('OS::Neutron::Port', { network: net.id })).id);
    const [port = '', one = '', other = ''] = ports;
    const sub = (id: string) => ({ port: id, segmentation_type: 'vlan', segmentation_id: 7 });
    const trunk = await make('OS::Neutron::Trunk', { port, sub_ports: [sub(one)] });
    await typed.update(trunk, { port, sub_ports: [sub(other)] });
    const shown = await trunk.type.read?.(trunk.scope);
    expect(shown).toMatchObject({ sub_ports: [{ port_id: other }] });
  });
});

describe('a server', () => {
  it('is created with NICs of all kinds, and updated in place', async () => {
    const net = await make('OS::Neutron::Net', {});
    const subnet = await make('OS::Neutron::Subnet', { network: net.id, cidr: '10.3.0.0/24' });
    const port = await make('OS::Neutron::Port', { network: net.id });
    const key = await make('OS::Nova::KeyPair', { name: 'typed', save_private_key: true });
    expect(await key.attribute('private_key')).toContain('PRIVATE KEY');
    const group = await make('OS::Nova::ServerGroup', { policies: ['soft-affinity'] });
    const properties = {
      image: 'tiny',
      flavor: 'm1.tiny',
      key_name: key.id,
      tags: ['web'],
      user_data: '#!/bin/sh\n',
      metadata: { tier: 1 },
      scheduler_hints: { group: group.id },
    };
    const networks = [{ port: port.id }, { subnet: subnet.id, fixed_ip: '10.3.0.50' }];
    const server = await make('OS::Nova::Server', { ...properties, networks });
    expect(await server.attribute('networks')).toMatchObject({
      [net.id]: expect.arrayContaining(['10.3.0.50']),
    });
    await typed.update(server, {
      ...properties,
      name: 'renamed',
      flavor: 'm1.small',
      tags: ['db'],
      metadata: {},
      networks: [{ port: port.id }, { network: net.id }],
    });
    const shown = await server.type.read?.(server.scope);
    expect(shown).toMatchObject({
      name: 'renamed',
      status: 'ACTIVE',
      tags: ['db'],
      metadata: {},
      flavor: { original_name: 'm1.small' },
    });
    const addresses = (await server.attribute('networks')) as Record<string, string[]>;
    expect(addresses[net.id]).toHaveLength(2);
    await typed.makeWayAndComeBack(server);
    expect(await server.attribute('networks')).toEqual(addresses);
  });

  it('uses the only network of its project, and can be suspended and resumed', async () => {
    const server = await make('OS::Nova::Server', {
      image: 'tiny',
      flavor: 'm1.tiny',
      user_data_format: 'RAW',
    });
    await server.type.suspend?.(server.scope);
    await eventually(
      'it is suspended',
      async () => (await server.type.isSuspended?.(server.scope)) === true,
    );
    await server.type.resume?.(server.scope);
    await eventually(
      'it is resumed',
      async () => (await server.type.isResumed?.(server.scope)) === true,
    );
  });

  it('has flavors, aggregates and quotas', async () => {
    const flavor = await makeAsAdmin('OS::Nova::Flavor', {
      ram: 64,
      vcpus: 1,
      extra_specs: { 'hw:cpu_policy': 'shared' },
      is_public: false,
    });
    expect(await flavor.attribute('extra_specs')).toEqual({ 'hw:cpu_policy': 'shared' });
    const aggregate = await makeAsAdmin('OS::Nova::HostAggregate', {
      name: 'ssd',
      metadata: { disk: 'ssd' },
    });
    await typed.update(aggregate, { name: 'ssd', metadata: { disk: 'nvme' } });
    expect(await aggregate.type.read?.(aggregate.scope)).toMatchObject({
      metadata: { disk: 'nvme' },
    });
    await makeAsAdmin('OS::Nova::Quota', { project: 'demo', cores: 40 });
    await makeAsAdmin('OS::Neutron::Quota', { project: 'demo', port: 400 });
  });
});

describe('a load balancer', () => {
  it('is created with all its parts while it is changing', async () => {
    const net = await make('OS::Neutron::Net', {});
    const subnet = await make('OS::Neutron::Subnet', { network: net.id, cidr: '10.4.0.0/24' });
    const balancer = await make('OS::Octavia::LoadBalancer', { vip_subnet: subnet.id });
    const listener = await make('OS::Octavia::Listener', {
      loadbalancer: balancer.id,
      protocol: 'HTTP',
      protocol_port: 80,
    });
    const pool = await make('OS::Octavia::Pool', {
      listener: listener.id,
      protocol: 'HTTP',
      lb_algorithm: 'ROUND_ROBIN',
      session_persistence: { type: 'HTTP_COOKIE' },
    });
    const member = await make('OS::Octavia::PoolMember', {
      pool: pool.id,
      address: '10.4.0.77',
      protocol_port: 8080,
      subnet: subnet.id,
    });
    const monitor = await make('OS::Octavia::HealthMonitor', {
      pool: pool.id,
      type: 'HTTP',
      delay: 5,
      timeout: 3,
      max_retries: 2,
      url_path: '/up',
    });
    const policy = await make('OS::Octavia::L7Policy', {
      listener: listener.id,
      action: 'REDIRECT_TO_URL',
      redirect_url: 'http://example.com',
    });
    await make('OS::Octavia::L7Rule', {
      l7policy: policy.id,
      type: 'PATH',
      compare_type: 'STARTS_WITH',
      value: '/old',
    });
    await typed.update(member, {
      pool: pool.id,
      address: '10.4.0.77',
      protocol_port: 8080,
      subnet: subnet.id,
      weight: 5,
    });
    await typed.update(monitor, {
      pool: pool.id,
      type: 'HTTP',
      delay: 6,
      timeout: 3,
      max_retries: 2,
    });
    await typed.update(pool, {
      listener: listener.id,
      protocol: 'HTTP',
      lb_algorithm: 'LEAST_CONNECTIONS',
    });
    expect(await pool.attribute('members')).toMatchObject([{ id: member.id }]);
    expect(await balancer.attribute('vip_address')).toMatch(/^10\.4\.0\./);
  });
});

describe('identity', () => {
  it('has domains, projects, users, groups and roles', async () => {
    const domain = await makeAsAdmin('OS::Keystone::Domain', { name: 'typed' });
    const project = await makeAsAdmin('OS::Keystone::Project', { domain: domain.id, tags: ['a'] });
    const role = await makeAsAdmin('OS::Keystone::Role', { name: 'typed-role' });
    const group = await makeAsAdmin('OS::Keystone::Group', {
      domain: domain.id,
      roles: [{ role: role.id, project: project.id }],
    });
    const user = await makeAsAdmin('OS::Keystone::User', {
      domain: domain.id,
      password: 'a-secret-1',
      groups: [group.id],
      roles: [{ role: 'member', domain: domain.id }],
    });
    expect(await user.attribute('domain_id')).toBe(domain.id);
    await typed.update(user, {
      domain: domain.id,
      password: 'a-secret-1',
      email: 'a@example.com',
      groups: [],
    });
    await makeAsAdmin('OS::Keystone::UserRoleAssignment', {
      user: user.id,
      roles: [{ role: role.id, project: project.id }],
    });
    await typed.update(project, { domain: domain.id, tags: ['b'], description: 'new' });
    const region = await makeAsAdmin('OS::Keystone::Region', { id: 'typed' });
    const service = await makeAsAdmin('OS::Keystone::Service', { type: 'typed' });
    const endpoint = await makeAsAdmin('OS::Keystone::Endpoint', {
      service: service.id,
      region: region.id,
      interface: 'public',
      url: 'http://typed',
    });
    await typed.update(endpoint, {
      service: service.id,
      region: region.id,
      interface: 'public',
      url: 'http://changed',
    });
    expect(await endpoint.type.read?.(endpoint.scope)).toMatchObject({ url: 'http://changed' });
  });
});

it('a software config is stored by this service itself', async () => {
  const config = await make('OS::Heat::CloudConfig', { cloud_config: { packages: ['nginx'] } });
  expect(await config.attribute('config')).toContain('#cloud-config');
});

describe('a bucket', () => {
  const put = { 'X-Container-Read': '.r:*', 'X-Container-Meta': { tier: 'web' } };

  it('is created only by the trust of a stack', async () => {
    await expect(make('OS::Swift::Container', put)).rejects.toThrow('this stack has none');
  });

  it('is created, counted and deleted', async () => {
    const path = `/identity/v3/users/${userId}/credentials/OS-EC2`;
    const { body } = await cloud.client.post(path, { token: demo, body: { tenant_id: projectId } });
    const actor = await typed.byTrustOf(demo);
    const container = await typed.make(actor, 'OS::Swift::Container', {
      ...put,
      PurgeOnDelete: true,
    });
    const { access, secret } = (body as { credential: Record<string, string> }).credential;
    const s3 = new S3Client({
      endpoint: s3Url,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: access ?? '', secretAccessKey: secret ?? '' },
    });
    await s3.send(new PutObjectCommand({ Bucket: container.id, Key: 'a', Body: 'four' }));
    s3.destroy();
    expect(await container.attribute('ObjectCount')).toBe(1);
    expect(await container.attribute('BytesUsed')).toBe(4);
    expect(await container.attribute('WebsiteURL')).toMatch(new RegExp(`/${container.id}$`));
    await typed.make(actor, 'AWS::S3::Bucket', {
      AccessControl: 'Private',
      Tags: [{ Key: 'a', Value: 'b' }],
      WebsiteConfiguration: { IndexDocument: 'index.html', ErrorDocument: 'error.html' },
    });
  });
});

it('an AWS instance is a server', async () => {
  const net = await make('OS::Neutron::Net', {});
  const subnet = await make('OS::Neutron::Subnet', { network: net.id, cidr: '10.6.0.0/24' });
  const instance = await make('AWS::EC2::Instance', {
    ImageId: 'tiny',
    InstanceType: 'm1.tiny',
    SubnetId: subnet.id,
    UserData: 'echo',
    Tags: [{ Key: 'a', Value: 'b' }],
  });
  expect(await instance.attribute('PrivateIp')).toMatch(/^10\.6\.0\./);
});

it('a secret has a payload, and a container has secrets', async () => {
  const text = await make('OS::Barbican::Secret', { payload: 'hush' });
  expect(await text.attribute('decrypted_payload')).toBe('hush');
  const secrets = [{ name: 'a', ref: text.id }];
  const held = await make('OS::Barbican::GenericContainer', { secrets });
  expect(await held.attribute('secret_refs')).toEqual({ a: text.id });
});
