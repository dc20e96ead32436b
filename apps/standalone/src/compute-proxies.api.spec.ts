/** What Nova did in the name of other services, by the services themselves. */
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

let cloud: TestCloud;
let token: string;

beforeAll(async () => {
  cloud = await startTestCloud(SERVICES);
  token = await cloud.login('demo', cloud.secrets.demoPassword);
});
afterAll(() => cloud.stop());

type Named = Readonly<Record<string, unknown>> & { readonly id: string };

const send = (method: string, path: string, body?: object): Promise<TestResponse> =>
  cloud.client.send(method, path, { token, body });

/** @returns what is under the answer's one key */
async function ask<T = Named>(method: string, path: string, body?: object): Promise<T> {
  const answer = await send(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return Object.values(answer.body as Record<string, T>)[0] as T;
}

describe('security groups', () => {
  const GROUPS = '/compute/os-security-groups';
  const RULES = '/compute/os-security-group-rules';

  it('are those of the network service', async () => {
    const body = { security_group: { name: 'web', description: 'of the web' } };
    const group = await ask('POST', GROUPS, body);
    expect(group).toMatchObject({ name: 'web', description: 'of the web', rules: [] });
    const shown = await ask('GET', `/networking/v2.0/security-groups/${group.id}`);
    expect(shown).toMatchObject({ name: 'web' });
    expect(await ask('GET', `${GROUPS}/${group.id}`)).toEqual(group);
    const listed = await ask<Named[]>('GET', GROUPS);
    expect(listed.map(({ name }) => name)).toEqual(['default', 'web']);
    const changed = await ask('PUT', `${GROUPS}/${group.id}`, {
      security_group: { name: 'db', description: '' },
    });
    expect(changed).toMatchObject({ id: group.id, name: 'db', description: '' });
    expect((await send('DELETE', `${GROUPS}/${group.id}`)).status).toBe(202);
    expect((await send('GET', `${GROUPS}/${group.id}`)).status).toBe(404);
  });

  it('have rules by address and by group', async () => {
    const body = { security_group: { name: 'rules', description: '' } };
    const { id } = await ask('POST', GROUPS, body);
    const rule = { parent_group_id: id, ip_protocol: 'tcp', from_port: 22, to_port: 22 };
    const byAddress = await ask('POST', RULES, {
      security_group_rule: { ...rule, cidr: '10.0.0.0/8' },
    });
    const shown = { parent_group_id: id, ip_protocol: 'tcp', from_port: 22, to_port: 22 };
    expect(byAddress).toEqual({
      ...shown,
      id: byAddress.id,
      group: {},
      ip_range: { cidr: '10.0.0.0/8' },
    });
    const byGroup = await ask('POST', RULES, {
      security_group_rule: { parent_group_id: id, group_id: id },
    });
    expect(byGroup).toMatchObject({ group: { name: 'rules' }, ip_range: {} });
    const { rules } = await ask<{ rules: Named[] }>('GET', `${GROUPS}/${id}`);
    expect(rules.map((one) => one.id).sort()).toEqual([byAddress.id, byGroup.id].sort());
    const again = { security_group_rule: { ...rule, cidr: '10.0.0.0/8' } };
    expect((await send('POST', RULES, again)).status).toBe(400);
    expect((await send('DELETE', `${RULES}/${byAddress.id}`)).status).toBe(202);
    await send('DELETE', `${GROUPS}/${id}`);
  });

  it.each([
    ['without ports', { ip_protocol: 'tcp' }, 'Not enough parameters'],
    ['of an unknown protocol', { ip_protocol: 'x', from_port: 1, to_port: 2 }, 'protocol x'],
    ['with reversed ports', { ip_protocol: 'tcp', from_port: 2, to_port: 1 }, 'Former value'],
    ['with port 0', { ip_protocol: 'udp', from_port: 0, to_port: 1 }, 'Valid UDP ports'],
    ['with empty ports', { ip_protocol: 'tcp', from_port: 'a', to_port: 1 }, 'must be integers'],
    [
      'with an invalid address',
      { ip_protocol: 'tcp', from_port: 1, to_port: 2, cidr: '1.2.3.4.5/8' },
      'not a valid IP network',
    ],
  ])('refuse rules %s', async (_, rule, message) => {
    const [group] = await ask<Named[]>('GET', GROUPS);
    const body = { security_group_rule: { parent_group_id: group?.id, ...rule } };
    const response = await send('POST', RULES, body);
    expect([response.status, response.body]).toMatchObject([
      400,
      { badRequest: { message: expect.stringContaining(message) } },
    ]);
  });

  it('protect the default group', async () => {
    const [group] = await ask<Named[]>('GET', GROUPS);
    expect((await send('DELETE', `${GROUPS}/${group?.id ?? ''}`)).status).toBe(400);
  });

  it.each(['no-uuid', ''])('are not found for %p', async (id) => {
    expect([400, 404]).toContain((await send('DELETE', `${GROUPS}/${id}`)).status);
  });
});

/** An external network with a few addresses, as its administrator makes it. */
async function publicNetwork(): Promise<void> {
  const admin = await cloud.login('admin', cloud.secrets.adminPassword);
  const create = async (path: string, body: object): Promise<Named> => {
    const answer = await cloud.client.post(`/networking/v2.0/${path}`, { token: admin, body });
    return Object.values(answer.body as Record<string, Named>)[0] as Named;
  };
  const network = { name: 'public', 'router:external': true };
  const { id } = await create('networks', { network });
  const subnet = { network_id: id, cidr: '203.0.113.0/24', ip_version: 4 };
  await create('subnets', { subnet });
}

describe('networks and floating IPs', () => {
  it('are those of the network service', async () => {
    const network = await ask('POST', '/networking/v2.0/networks', { network: { name: 'net' } });
    const listed = await ask<Named[]>('GET', '/compute/os-networks');
    expect(listed.filter(({ id }) => id === network.id)).toMatchObject([{ label: 'net' }]);
    expect(await ask('GET', `/compute/os-tenant-networks/${network.id}`)).toEqual({
      id: network.id,
      label: 'net',
      cidr: 'None',
    });
    expect((await send('GET', `/compute/os-networks/none`)).body).toEqual({
      itemNotFound: { code: 404, message: 'Network not found' },
    });
  });

  it('are allocated from pools and released', async () => {
    await publicNetwork();
    const pools = await ask<Named[]>('GET', '/compute/os-floating-ip-pools');
    expect(pools).toEqual([{ name: 'public' }]);
    const ip = await ask('POST', '/compute/os-floating-ips', { pool: 'public' });
    const shown = { pool: 'public', fixed_ip: null, instance_id: null };
    expect(ip).toEqual({ ...shown, id: ip.id, ip: expect.stringMatching(/^\d+\./) });
    expect(await ask('GET', `/compute/os-floating-ips/${ip.id}`)).toEqual(ip);
    expect(await ask('GET', '/compute/os-floating-ips')).toEqual([ip]);
    expect((await send('DELETE', `/compute/os-floating-ips/${ip.id}`)).status).toBe(202);
    expect(await ask('GET', '/compute/os-floating-ips')).toEqual([]);
    expect((await send('POST', '/compute/os-floating-ips', { pool: 'none' })).status).toBe(404);
  });
});

describe('images', () => {
  it("are those of the image service, in Nova's format", async () => {
    const created = await send('POST', '/image/v2/images', {
      name: 'disk',
      disk_format: 'raw',
      container_format: 'bare',
      min_ram: 64,
      mine: 'x',
    });
    const { id } = created.body as Named;
    const listed = await ask<Named[]>('GET', '/compute/images?name=disk');
    expect(listed).toMatchObject([{ id, name: 'disk', links: [{}, {}, { rel: 'alternate' }] }]);
    expect(listed[0]).not.toHaveProperty('status');
    const shown = { id, status: 'SAVING', progress: 25, minRam: 64, metadata: { mine: 'x' } };
    expect(await ask('GET', `/compute/images/${id}`)).toMatchObject(shown);
    expect(await ask('GET', '/compute/images/detail?name=disk')).toMatchObject([shown]);
    const metadata = `/compute/images/${id}/metadata`;
    expect(await ask('POST', metadata, { metadata: { yours: 'y' } })).toEqual({
      mine: 'x',
      yours: 'y',
    });
    expect(await ask('PUT', `${metadata}/mine`, { meta: { mine: 'z' } })).toEqual({ mine: 'z' });
    expect(await ask('GET', `${metadata}/mine`)).toEqual({ mine: 'z' });
    expect((await send('DELETE', `${metadata}/yours`)).status).toBe(204);
    expect(await ask('GET', metadata)).toEqual({ mine: 'z' });
    expect(await ask('PUT', metadata, { metadata: { only: '1' } })).toEqual({ only: '1' });
    expect((await send('DELETE', `${metadata}/mine`)).status).toBe(404);
    expect((await send('DELETE', `/compute/images/${id}`)).status).toBe(204);
    expect((await send('GET', `/compute/images/${id}`)).body).toEqual({
      itemNotFound: { code: 404, message: 'Image not found.' },
    });
  });

  it('are paged', async () => {
    const names = ['page-1', 'page-2', 'page-3'];
    for (const name of names)
      await send('POST', '/image/v2/images', {
        name,
        disk_format: 'raw',
        container_format: 'bare',
      });
    const { images, images_links: links } = (await send('GET', '/compute/images?limit=2')).body as {
      images: Named[];
      images_links: { href: string }[];
    };
    expect(images).toHaveLength(2);
    const next = new URL(links[0]?.href ?? '');
    const rest = await ask<Named[]>('GET', next.pathname + next.search);
    expect(rest.map(({ id }) => id)).not.toContain(images[1]?.id);
    expect(rest.length).toBeGreaterThan(0);
  });
});
