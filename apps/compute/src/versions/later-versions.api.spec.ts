/** The microversions from 2.97 on. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';

let compute: ComputeFixture;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
  id = await compute.buildServer();
});
afterAll(() => compute.stop());

function send(method: string, path: string, minor: number, body?: object): Promise<TestResponse> {
  const headers = { 'OpenStack-API-Version': `compute 2.${minor}` };
  return compute.client.send(method, path, { token: compute.token, headers, body });
}

const server = async (minor: number): Promise<Record<string, unknown>> =>
  ((await send('GET', `/servers/${id}`, minor)).body as { server: Record<string, unknown> }).server;

it('are announced by the service', async () => {
  const response = await send('GET', '/', 104);
  expect(response.body).toMatchObject({ versions: [{}, { version: '2.104' }] });
  expect((await send('GET', '/', 105)).status).toBe(406);
});

it('2.98 shows the properties of the image', async () => {
  expect((await server(97))['image']).not.toHaveProperty('properties');
  expect((await server(98))['image']).toMatchObject({ properties: {} });
});

it('2.100 shows the scheduler hints', async () => {
  expect(await server(99)).not.toHaveProperty('scheduler_hints');
  expect(await server(100)).toMatchObject({ scheduler_hints: {} });
});

describe('2.102', () => {
  it('finds flavors by name', async () => {
    const names = async (minor: number): Promise<string[]> => {
      const { body } = await send('GET', '/flavors?name=tiny&limit=1000', minor);
      return (body as { flavors: { name: string }[] }).flavors.map(({ name }) => name);
    };
    expect(await names(102)).toEqual(['m1.tiny']);
    expect((await names(74)).length).toBeGreaterThan(1);
  });

  it('no longer shows properties of flavors without effect', async () => {
    const { flavor } = (await send('GET', '/flavors/1', 102)).body as { flavor: object };
    expect(flavor).not.toHaveProperty('rxtx_factor');
    expect(flavor).not.toHaveProperty('OS-FLV-DISABLED:disabled');
    expect((await send('GET', '/flavors/1', 101)).body).toMatchObject({
      flavor: { rxtx_factor: 1, 'OS-FLV-DISABLED:disabled': false },
    });
  });

  it.each([
    ['/servers/{id}?colour=red', 102],
    ['/servers/{id}/metadata?colour=red', 102],
    ['/servers?colour=red', 75],
    ['/flavors/detail?colour=red', 75],
    ['/limits?colour=red', 75],
  ])('refuses unknown parameters at %s since 2.%i', async (template, since) => {
    const path = template.replace('{id}', id);
    expect((await send('GET', path, since - 1)).status).toBe(200);
    const message = 'Invalid input: colour is not a query parameter of this operation.';
    expectError(await send('GET', path, since), 400, 'badRequest', message);
  });

  it('knows its own parameters', async () => {
    for (const path of ['/servers?name=x&locked=false&sort_key=uuid', '/flavors?minRam=1'])
      expect((await send('GET', path, 104)).status).toBe(200);
  });
});

describe('2.104', () => {
  const pin = (zone: string | null, minor = 104) =>
    send('PUT', `/servers/${id}`, minor, { server: { pinned_availability_zone: zone } });

  it('pins a server to its zone, and unpins it', async () => {
    expect((await pin('nova')).body).toMatchObject({
      server: { pinned_availability_zone: 'nova' },
    });
    expect((await pin('nova')).status).toBe(200);
    const message = `Cannot pin instance ${id} to the availability zone other: the server is pinned to another zone, or is not in this one.`;
    expectError(await pin('other'), 409, 'conflictingRequest', message);
    expect((await pin(null)).body).toMatchObject({ server: { pinned_availability_zone: null } });
    expect((await pin('other')).status).toBe(409);
  });

  it('is the first to', async () => {
    expect((await pin(null, 103)).status).toBe(400);
  });
});
