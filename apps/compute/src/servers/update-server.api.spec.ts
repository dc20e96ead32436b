import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { startCompute, unknownId, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';

let compute: ComputeFixture;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
  id = await compute.buildServer();
});
afterAll(() => compute.stop());

const at = (minor: number): object => ({ 'OpenStack-API-Version': `compute 2.${minor}` });

const update = (server: object, minor = 1, token = compute.token): Promise<TestResponse> =>
  compute.client.put(`/servers/${id}`, { token, body: { server }, headers: at(minor) as never });

describe('updating a server', () => {
  it('changes named properties, and nothing else', async () => {
    await update({ name: 'first', accessIPv4: '192.0.2.1', accessIPv6: '2001:db8::1' });
    const response = await update({ name: 'second', 'OS-DCF:diskConfig': 'AUTO' });
    expect(response.status).toBe(200);
    const changed = {
      name: 'second',
      accessIPv4: '192.0.2.1',
      accessIPv6: '2001:db8::1',
      'OS-DCF:diskConfig': 'AUTO',
    };
    expect(response.body).toMatchObject({ server: changed });
    expect(await compute.show(id)).toMatchObject(changed);
  });

  it('writes an IPv6 address in its one shortest form', async () => {
    const response = await update({ accessIPv6: '::babe:220.12.22.2' });
    expect(response.body).toMatchObject({ server: { accessIPv6: '::babe:dc0c:1602' } });
    expect((await update({ accessIPv6: 'fe80::1%eth0' })).status).toBe(400);
  });

  it('has a description since 2.19, which null removes', async () => {
    expectError(
      await update({ description: 'x' }),
      400,
      'badRequest',
      'Invalid input: server.description came with microversion 2.19; the request is for 2.1.',
    );
    const given = await update({ description: 'mine' }, 19);
    expect(given.body).toMatchObject({ server: { description: 'mine' } });
    const cleared = await update({ description: null }, 19);
    expect(cleared.body).toMatchObject({ server: { description: null } });
  });

  it('has a host name since 2.90, and with a domain since 2.94', async () => {
    expect((await update({ hostname: 'web' }, 89)).status).toBe(400);
    expectError(
      await update({ hostname: 'web.example.org' }, 93),
      400,
      'badRequest',
      /server\.hostname must be a host name .* before microversion 2\.94/,
    );
    expect((await update({ hostname: 'web.example.org' }, 94)).body).toMatchObject({
      server: { 'OS-EXT-SRV-ATTR:hostname': 'web.example.org' },
    });
  });

  it('answers all properties of a server since 2.75', async () => {
    const { server: before } = (await update({}, 74)).body as { server: object };
    expect(before).not.toHaveProperty('OS-EXT-STS:vm_state');
    expect(before).not.toHaveProperty('key_name');
    const since = await update({}, 75);
    expect(since.body).toMatchObject({
      server: { 'OS-EXT-STS:vm_state': 'active', key_name: null, config_drive: '' },
    });
  });

  it.each([
    ['an empty name', { name: '' }, /server\.name must be longer/],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, /server\.name must be shorter/],
    ['a name that ends with a space', { name: 'web ' }, /neither begin nor end with a space/],
    ['a name with a control character', { name: 'a\u0007b' }, /printable characters/],
    ['a name with an invisible character', { name: 'a\u200bb' }, /printable characters/],
    ['an IPv6 address as IPv4', { accessIPv4: '::1' }, /server\.accessIPv4 must be an IPv4/],
    ['an address that is none', { accessIPv6: 'notvalid' }, /server\.accessIPv6 must be an IPv6/],
    ['another disk config', { 'OS-DCF:diskConfig': 'auto' }, /must be one of AUTO, MANUAL/],
    ['what it does not know', { flavorRef: '2' }, /server\.flavorRef is not a property/],
  ])('refuses %s, and changes nothing', async (_, server, message) => {
    const before = await compute.show(id);
    expectError(await update(server), 400, 'badRequest', message);
    expect(await compute.show(id)).toEqual(before);
  });

  it.each(['no-uuid', unknownId()])('answers 404 for %s', async (unknown) => {
    const response = await compute.client.put(`/servers/${unknown}`, {
      token: compute.token,
      body: { server: { name: 'x' } },
    });
    expectError(response, 404, 'itemNotFound', `Instance ${unknown} could not be found.`);
  });

  it("answers 404 for another project's", async () => {
    const token = await compute.tokens.issue(['member'], { projectId: newId() });
    expect((await update({ name: 'theirs' }, 1, token)).status).toBe(404);
  });
});

describe('creating a server', () => {
  it('stores its access addresses and disk config', async () => {
    const server = { accessIPv4: '192.0.2.7', 'OS-DCF:diskConfig': 'AUTO' };
    const response = await compute.createServer(server);
    expect(response.body).toMatchObject({ server: { 'OS-DCF:diskConfig': 'AUTO' } });
    const { id: created } = (response.body as { server: { id: string } }).server;
    expect(await compute.show(created)).toMatchObject({ ...server, accessIPv6: '' });
  });

  it('shows the name as the description before 2.19', async () => {
    const created = await compute.createServer({ name: 'plain' });
    const path = `/servers/${(created.body as { server: { id: string } }).server.id}`;
    const shown = await compute.client.get(path, {
      token: compute.token,
      headers: at(19) as never,
    });
    expect(shown.body).toMatchObject({ server: { description: 'plain' } });
  });
});

describe('the data of a guest', () => {
  it('a password, which is posted once until it is cleared', async () => {
    const path = `/servers/${id}/os-server-password`;
    const { token } = compute;
    expect((await compute.client.get(path, { token })).body).toEqual({ password: '' });
    await compute.app.dataSource.query(`UPDATE servers SET guest_password = 'x' WHERE id = $1`, [
      id,
    ]);
    expect((await compute.client.get(path, { token })).body).toEqual({ password: 'x' });
    expect((await compute.client.delete(path, { token })).status).toBe(204);
    expect((await compute.client.get(path, { token })).body).toEqual({ password: '' });
  });

  it('no NUMA nodes, since 2.78', async () => {
    const path = `/servers/${id}/topology`;
    const before = await compute.client.get(path, {
      token: compute.token,
      headers: at(77) as never,
    });
    const message = 'API version 2.77 is not supported on this method.';
    expectError(before, 404, 'itemNotFound', message);
    const since = await compute.client.get(path, {
      token: compute.token,
      headers: at(78) as never,
    });
    expect([since.status, since.body]).toEqual([200, { nodes: [], pagesize_kb: null }]);
  });
});
