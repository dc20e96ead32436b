/** A stack with nearly every type at the services: made, changed property by property, and removed. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';
import { TYPED_FILES } from './typed-amazon.fixture.js';
import { OF_ADMINISTRATORS } from './typed-administrators.fixture.js';
import { OF_MEMBERS } from './typed-members.fixture.js';
import { stackOf, updatesOf } from './typed-stacks.fixture.js';

let cloud: TestCloud;
let admin: string;
let demo: string;

beforeAll(async () => {
  cloud = await startTestCloud(SERVICES, { LOADBALANCER_DATA_PLANE: 'simulated' });
  admin = await cloud.login('admin', cloud.secrets.adminPassword);
  demo = await cloud.login('demo', cloud.secrets.demoPassword);
  const net = await send(admin, 'POST', '/networking/v2.0/networks', {
    network: { name: 'outside', 'router:external': true },
  });
  const { id } = (net as { network: { id: string } }).network;
  const subnet = { network_id: id, cidr: '192.0.2.0/24', ip_version: 4, enable_dhcp: false };
  await send(admin, 'POST', '/networking/v2.0/subnets', { subnet });
  await makeImage('tiny');
  await makeImage('node', { os_distro: 'cumulet-node' });
});
afterAll(() => cloud.stop());

async function send(token: string, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await cloud.client.send(method, path, { token, body });
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.body;
}

/** One that guests boot. */
async function makeImage(name: string, properties: object = {}): Promise<void> {
  const { id } = (await send(demo, 'POST', '/image/v2/images', {
    name,
    disk_format: 'raw',
    container_format: 'bare',
    ...properties,
  })) as { id: string };
  const sector = Buffer.alloc(512);
  sector.writeUInt16LE(0xaa55, 510);
  const headers = { 'Content-Type': 'application/octet-stream' };
  await cloud.client.put(`/image/v2/images/${id}/file`, { token: demo, headers, body: sector });
}

const LISTS: readonly string[] = [
  ...['networks', 'subnets', 'ports', 'routers', 'floatingips', 'address-groups', 'trunks'].map(
    (one) => `/networking/v2.0/${one}`,
  ),
  ...['security-groups', 'address-scopes', 'subnetpools', 'rbac-policies', 'qos/policies'].map(
    (one) => `/networking/v2.0/${one}`,
  ),
  ...['servers', 'os-keypairs', 'os-server-groups'].map((one) => `/compute/v2.1/${one}`),
  ...['loadbalancers', 'listeners', 'pools', 'healthmonitors', 'l7policies'].map(
    (one) => `/load-balancer/v2/lbaas/${one}`,
  ),
  ...['clusters', 'clustertemplates'].map((one) => `/container-infra/v1/${one}`),
  ...['secrets', 'containers'].map((one) => `/key-manager/v1/${one}`),
  // The keys by which stacks reach buckets.
  '/identity/v3/credentials',
  ...['stacks?show_nested=true', 'software_configs', 'software_deployments'].map(
    (one) => `/orchestration/${one}`,
  ),
];

const LISTS_OF_ADMINISTRATORS: readonly string[] = [
  ...['projects', 'users', 'groups', 'roles', 'domains', 'regions', 'services', 'endpoints'].map(
    (one) => `/identity/v3/${one}`,
  ),
  ...['flavors?is_public=none', 'os-aggregates'].map((one) => `/compute/v2.1/${one}`),
  ...['qos/policies', 'networks'].map((one) => `/networking/v2.0/${one}`),
  ...['flavors', 'flavorprofiles', 'availabilityzones', 'availabilityzoneprofiles'].map(
    (one) => `/load-balancer/v2/lbaas/${one}`,
  ),
];

/** What there is, by list; the group that each project comes to have is left out. */
async function everything(token: string, lists: readonly string[]): Promise<object> {
  const found = lists.map(async (path): Promise<[string, string[]]> => {
    const body = (await send(token, 'GET', path)) as Record<string, unknown>;
    const items = Object.values(body).find(Array.isArray) as { name?: string; id?: string }[];
    const own = items.filter(
      ({ name }) => !(path.endsWith('security-groups') && name === 'default'),
    );
    return [path, own.map(({ id, name }) => id ?? name ?? JSON.stringify(own)).sort()];
  });
  return Object.fromEntries(await Promise.all(found));
}

async function settled(token: string, name: string, status: string): Promise<void> {
  let stack: { stack_status: string; stack_status_reason: string } | undefined;
  await eventually(
    `${name} is ${status}`,
    async () => {
      const path = '/orchestration/stacks?show_deleted=true';
      const { stacks } = (await send(token, 'GET', `${path}&name=${name}`)) as {
        stacks: (typeof stack)[];
      };
      [stack] = stacks;
      return stack?.stack_status.endsWith('_IN_PROGRESS') === false;
    },
    120_000,
  );
  expect([stack?.stack_status, stack?.stack_status_reason]).toEqual([
    status,
    expect.stringContaining('completed successfully'),
  ]);
}

async function idsOf(token: string, path: string): Promise<Record<string, string>> {
  const { resources } = (await send(token, 'GET', `${path}/resources`)) as {
    resources: { resource_name: string; physical_resource_id: string }[];
  };
  return Object.fromEntries(resources.map((one) => [one.resource_name, one.physical_resource_id]));
}

it.each([
  ['members', OF_MEMBERS, () => demo, LISTS],
  ['administrators', OF_ADMINISTRATORS, () => admin, LISTS_OF_ADMINISTRATORS],
] as const)(
  'resources for %s are created, updated in place and deleted',
  async (name, resources, tokenOf, lists) => {
    const token = tokenOf();
    const before = await everything(token, lists);
    const made = await send(token, 'POST', '/orchestration/stacks', {
      stack_name: name,
      template: stackOf(resources, 0),
      files: TYPED_FILES,
      disable_rollback: true,
    });
    const path = `/orchestration/stacks/${name}/${(made as { stack: { id: string } }).stack.id}`;
    await settled(token, name, 'CREATE_COMPLETE');
    const ids = await idsOf(token, path);
    for (let updates = 1; updates <= updatesOf(resources); updates += 1) {
      await send(token, 'PUT', path, { template: stackOf(resources, updates), files: TYPED_FILES });
      await settled(token, name, 'UPDATE_COMPLETE');
      expect(await idsOf(token, path)).toEqual(ids);
    }
    await send(token, 'POST', `${path}/actions`, { check: null });
    await settled(token, name, 'CHECK_COMPLETE');
    await send(token, 'DELETE', path);
    await settled(token, name, 'DELETE_COMPLETE');
    expect(await everything(token, lists)).toEqual(before);
  },
  600_000,
);

it('availability zones of a template are those of compute', async () => {
  const { hypervisors } = (await send(admin, 'GET', '/compute/v2.1/os-hypervisors')) as {
    hypervisors: { hypervisor_hostname: string }[];
  };
  const aggregates = '/compute/v2.1/os-aggregates';
  const { aggregate } = (await send(admin, 'POST', aggregates, {
    aggregate: { name: 'zoned', availability_zone: 'typed-zone' },
  })) as { aggregate: { id: number } };
  const host = { host: hypervisors[0]?.hypervisor_hostname ?? '' };
  const path = `${aggregates}/${aggregate.id}`;
  await send(admin, 'POST', `${path}/action`, { add_host: host });
  const template = {
    AWSTemplateFormatVersion: '2010-09-09',
    Outputs: { Zones: { Value: { 'Fn::GetAZs': '' } } },
  };
  const body = { stack_name: 'zones', template };
  const { stack } = (await send(demo, 'POST', '/orchestration/stacks', body)) as {
    stack: { id: string };
  };
  const zones = `/orchestration/stacks/zones/${stack.id}`;
  await settled(demo, 'zones', 'CREATE_COMPLETE');
  expect(await send(demo, 'GET', `${zones}/outputs/Zones`)).toMatchObject({
    output: { output_value: ['typed-zone'] },
  });
  expect(await send(demo, 'GET', zones)).toMatchObject({ stack: { stack_owner: 'demo' } });
  await send(admin, 'POST', `${path}/action`, { remove_host: host });
  await send(admin, 'DELETE', path);
});
