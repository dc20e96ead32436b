/** A server's creation, update and deletion, by the requests to compute and network. */
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../json/json.js';
import { partsOf } from '../heat/mime.js';
import { NotYetError, ReplacementNeeded, ResourceInErrorError } from '../resource-type.errors.js';
import {
  calledIn,
  changed,
  definition,
  Refusal,
  testScope,
  type Answers,
  type TestScope,
} from '../resource-scope.fixture.js';
import { server } from './server.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

const PATH = '/v2.1/servers/id-1';
const PLAIN = { image: 'i', flavor: 'f', user_data_format: 'RAW' };
const MADE = { 'POST /v2.1/servers': { server: { id: 'new' } } };

const shown = (fields: JsonObject): Answers => ({ [`GET ${PATH}`]: { server: fields } });

interface Request {
  readonly server: Record<string, unknown>;
}

async function created(properties: Properties, more: Answers = {}): Promise<[Request, TestScope]> {
  const scope = testScope(server, {
    properties: { ...PLAIN, ...properties },
    answers: { ...MADE, ...more },
  });
  await server.create(scope);
  return [scope.requests.at(-1)?.json as Request, scope];
}

describe('a new server', () => {
  it("is created under its key, on compute's choice of network", async () => {
    const [, scope] = await created({ key_name: 'k', security_groups: ['g'] });
    expect(scope.requests).toEqual([
      {
        service: 'compute',
        method: 'POST',
        path: '/v2.1/servers',
        key: 'key',
        headers: { 'openstack-api-version': 'compute 2.36' },
        json: {
          server: {
            name: 'shop-web-k3jd8s2mxq5p',
            imageRef: 'i',
            flavorRef: 'f',
            key_name: 'k',
            metadata: {},
            security_groups: [{ name: 'g' }],
          },
        },
      },
    ]);
  });

  it('has NICs that compute creates', async () => {
    const networks = [
      { network: 'n', fixed_ip: '10.0.0.4' },
      { port: 'p', tag: 'a' },
    ];
    const [request, scope] = await created({ networks });
    expect(request.server['networks']).toEqual([
      { uuid: 'n', fixed_ip: '10.0.0.4' },
      { port: 'p', tag: 'a' },
    ]);
    expect(scope.requests[0]?.headers).toEqual({ 'openstack-api-version': 'compute 2.90' });
  });

  it('has a word for its networks', async () => {
    const [request] = await created({ networks: [{ allocate_network: 'none' }] });
    expect(request.server['networks']).toBe('none');
  });

  const own: Answers = {
    'GET /v2.0/subnets/s': { subnet: { network_id: 'n' } },
    'POST /v2.0/ports': { port: { id: 'p-1' } },
    'PUT /v2.0/floatingips/fip': {},
  };

  it('gets a port of its own for a NIC that compute does not support', async () => {
    const networks = [{ subnet: 's', floating_ip: 'fip' }];
    const [request, scope] = await created({ networks }, own);
    expect(request.server['networks']).toEqual([{ port: 'p-1' }]);
    expect(scope.requests[1]).toMatchObject({
      key: 'key-port-0',
      json: { port: { name: 'web-port-0', network_id: 'n', fixed_ips: [{ subnet_id: 's' }] } },
    });
    expect(scope.requests[2]?.json).toEqual({ floatingip: { port_id: 'p-1' } });
    expect(scope.kept.at(-1)).toEqual({ ports: ['p-1'], made: 1 });
  });

  it('leaves no port behind when it is refused', async () => {
    const scope = testScope(server, {
      properties: { ...PLAIN, networks: [{ subnet: 's' }] },
      answers: { ...own, 'POST /v2.1/servers': new Refusal(403, 'Quota exceeded.') },
    });
    await expect(server.create(scope)).rejects.toThrow('Quota exceeded.');
    expect(calledIn(scope).at(-1)).toBe('DELETE /v2.0/ports/p-1');
    expect(scope.kept.at(-1)).toEqual({ ports: [], made: 1 });
  });

  it('has hints, metadata as text and disks', async () => {
    const [request] = await created({
      metadata: { a: 'b', c: [1] },
      scheduler_hints: { group: 'g', none: null },
      block_device_mapping_v2: [{ swap_size: 64 }, { ephemeral_size: 2, ephemeral_format: 'ext3' }],
    });
    expect(request).toMatchObject({ 'os:scheduler_hints': { group: 'g' } });
    expect(request.server['metadata']).toEqual({ a: 'b', c: '[1]' });
    const blank = { source_type: 'blank', destination_type: 'local', boot_index: -1 };
    expect(request.server['block_device_mapping_v2']).toEqual([
      { ...blank, delete_on_termination: true, guest_format: 'swap', volume_size: 64 },
      { ...blank, delete_on_termination: true, guest_format: 'ext3', volume_size: 2 },
    ]);
  });
});

describe('user data', () => {
  const read = ({ server: { user_data: data } }: Request): string =>
    Buffer.from(data as string, 'base64').toString();

  it('is unchanged in format RAW', async () => {
    const [request] = await created({ user_data: '#!/bin/sh\nécho' });
    expect(read(request)).toBe('#!/bin/sh\nécho');
  });

  it('may be that of a software config', async () => {
    const id = '0b3f8a72-6f0e-4a8e-8f5f-9c9f0e0b7c11';
    const path = `GET /v1/project-1/software_configs/${id}`;
    const [request] = await created(
      { user_data: id },
      { [path]: { software_config: { config: 'echo' } } },
    );
    expect(read(request)).toBe('echo');
  });

  it('is run by additional parts', async () => {
    const [request] = await created({ user_data: 'echo', user_data_format: 'HEAT_CFNTOOLS' });
    const parts = partsOf(read(request)) ?? [];
    expect(parts.map(({ subtype }) => subtype)).toEqual([
      'cloud-config',
      'cloud-boothook',
      'part-handler',
      'x-cfninitdata',
      'x-shellscript',
    ]);
    expect(parts[3]).toMatchObject({ filename: 'cfn-userdata', content: 'echo' });
  });

  it('configures the agent for deployments', async () => {
    const [request] = await created({ user_data: '', user_data_format: 'SOFTWARE_CONFIG' });
    const { content = '', ...part } = partsOf(read(request))?.at(-1) ?? {};
    expect(part).toEqual({ subtype: 'x-cfninitdata', filename: 'cfn-init-data' });
    expect(JSON.parse(content)).toEqual({
      'os-collect-config': {
        collectors: ['ec2', 'request', 'local'],
        request: { metadata_url: 'http://metadata.example/web' },
      },
    });
  });

  it.each(['POLL_SERVER_HEAT', 'ZAQAR_MESSAGE'])('is refused with transport %s', (transport) => {
    const of =
      (format: string): (() => void) =>
      () =>
        server.validate?.({
          ...PLAIN,
          user_data_format: format,
          software_config_transport: transport,
        });
    expect(of('SOFTWARE_CONFIG')).toThrow(`${transport} is not supported`);
    expect(of('RAW')).not.toThrow();
  });

  it('is the same each time', async () => {
    const properties = { user_data: 'echo', user_data_format: 'SOFTWARE_CONFIG' };
    const [[one], [other]] = [await created(properties), await created(properties)];
    expect(read(one)).toBe(read(other));
    expect(partsOf(read(one))?.at(-2)).toEqual({ subtype: 'plain', content: 'echo' });
  });
});

describe('a server', () => {
  it.each([
    ['BUILD', false],
    ['ACTIVE', true],
  ])('in status %s is complete: %s', async (status, isThere) => {
    const scope = testScope(server, { properties: PLAIN, answers: shown({ status }) });
    expect(await server.isCreated?.(scope)).toBe(isThere);
  });

  it("fails with compute's message", async () => {
    const fault = { message: 'No valid host was found.', code: 500 };
    const scope = testScope(server, { answers: shown({ status: 'ERROR', fault }) });
    await expect(server.isCreated?.(scope)).rejects.toThrow(
      new ResourceInErrorError('ERROR', 'Message: No valid host was found., Code: 500'),
    );
  });

  it('gets its tags after its creation', async () => {
    const answers = { ...shown({ status: 'ACTIVE' }), [`PUT ${PATH}/tags`]: {} };
    const scope = testScope(server, { properties: { ...PLAIN, tags: ['a'] }, answers });
    await server.isCreated?.(scope);
    expect(scope.requests.at(-1)?.json).toEqual({ tags: ['a'] });
  });

  it('is gone with its own ports', async () => {
    const data = { ports: ['p-1'], made: 1 };
    const there = testScope(server, { data, answers: shown({ status: 'ACTIVE' }) });
    expect(await server.isRemoved?.(there)).toBe(false);
    const gone = testScope(server, { data });
    expect(await server.isRemoved?.(gone)).toBe(true);
    expect(calledIn(gone)).toEqual([`GET ${PATH}`, 'DELETE /v2.0/ports/p-1']);
  });

  it('reports why its deletion failed', async () => {
    const fault = { message: 'The host is away.', code: 500 };
    const scope = testScope(server, { answers: shown({ status: 'ERROR', fault }) });
    await expect(server.isRemoved?.(scope)).rejects.toThrow('The host is away.');
  });

  it('is suspended once', async () => {
    const answers = { ...shown({ status: 'ACTIVE' }), [`POST ${PATH}/action`]: {} };
    const scope = testScope(server, { answers });
    await server.suspend?.(scope);
    expect(scope.requests.at(-1)?.json).toEqual({ suspend: null });
    const done = testScope(server, { answers: shown({ status: 'SUSPENDED' }) });
    await server.suspend?.(done);
    expect(calledIn(done)).toEqual([`GET ${PATH}`]);
    expect(await server.isSuspended?.(done)).toBe(true);
  });

  it('is snapshotted as an image and restored from it', async () => {
    const answers = {
      'GET /v2/images': { images: [{ id: 'i-1', status: 'killed' }] },
      [`POST ${PATH}/action`]: { image_id: 'i-2' },
      'GET /v2/images/i-2': { status: 'active' },
      ...shown({ status: 'ACTIVE', 'OS-EXT-STS:task_state': null }),
    };
    const scope = testScope(server, { properties: PLAIN, answers });
    const data = (await server.snapshot?.(scope, 'mark')) ?? {};
    expect(scope.requests.at(-1)?.json).toMatchObject({
      createImage: { metadata: { orchestration_snapshot: 'mark' } },
    });
    expect(await server.isSnapshot?.(scope, data)).toBe(true);
    expect(server.restored?.(PLAIN, data)).toEqual({ ...PLAIN, image: 'i-2' });
    await server.removeSnapshot?.(scope, data);
    expect(calledIn(scope).at(-1)).toBe('DELETE /v2/images/i-2');
  });

  it('is not snapshotted twice after a lost answer', async () => {
    const answers = { 'GET /v2/images': { images: [{ id: 'i-2', status: 'saving' }] } };
    const scope = testScope(server, { answers });
    expect(await server.snapshot?.(scope, 'mark')).toEqual({ snapshot_image_id: 'i-2' });
    expect(scope.requests).toMatchObject([{ query: { orchestration_snapshot: 'mark' } }]);
  });

  it('frees its ports for its replacement, and takes them back', async () => {
    const nic = { port_id: 'p', net_id: 'n', fixed_ips: [] };
    const looks = [[nic], [nic], [nic], []];
    const fixedIps = [{ ip_address: '10.0.0.4', subnet_id: 's' }];
    const answers = {
      ...shown({ status: 'ACTIVE' }),
      [`GET ${PATH}/os-interface`]: () => ({ interfaceAttachments: looks.shift() ?? [] }),
      'GET /v2.0/ports/own': { port: { fixed_ips: fixedIps } },
      'PUT /v2.0/ports/own': {},
      [`POST ${PATH}/os-interface`]: {},
    };
    const scope = testScope(server, { data: { ports: ['own'] }, answers });
    await expect(server.prepareForReplacement?.(scope)).rejects.toThrow(NotYetError);
    await server.prepareForReplacement?.(scope);
    expect(calledIn(scope)).toContain(`DELETE ${PATH}/os-interface/p`);
    expect(scope.requests.at(-1)?.json).toEqual({ port: { fixed_ips: [] } });
    const store = { ports: ['own'], detached: ['p'], addresses: { own: fixedIps } };
    expect(scope.kept).toEqual([store, store]);
    const back = testScope(server, { data: store, answers });
    await server.restoreReplaced?.(back);
    expect(back.requests[0]?.json).toEqual({ port: { fixed_ips: fixedIps } });
    expect(back.requests.at(-1)?.json).toEqual({ interfaceAttachment: { port_id: 'p' } });
    expect(back.kept).toEqual([{ ports: ['own'] }]);
  });
});

describe('attributes', () => {
  const answers: Answers = {
    ...shown({ addresses: { b: [{ addr: '10.0.0.5' }], a: [{ addr: '10.1.0.5' }] }, tags: ['t'] }),
    'GET /v2.0/ports': {
      ports: [
        {
          id: 'p',
          network_id: 'n',
          mac_address: 'fa:16:3e:00:00:01',
          fixed_ips: [{ ip_address: '10.0.0.5', subnet_id: 's' }],
        },
      ],
    },
    'GET /v2.0/networks/n': { network: { id: 'n', name: 'net' } },
    'GET /v2.0/subnets/s': { subnet: { id: 's' } },
    'GET /v2.0/floatingips': { floatingips: [{ floating_ip_address: '192.0.2.9' }] },
    [`POST ${PATH}/remote-consoles`]: ({ json }) =>
      (json as { remote_console: JsonObject }).remote_console['type'] === 'novnc'
        ? { remote_console: { url: 'http://console' } }
        : undefined,
  };

  it('include addresses, by the name and ID of their network', async () => {
    const scope = testScope(server, { answers });
    const names = ['addresses', 'networks', 'first_address', 'tags'];
    const values = (await server.attributesOf?.(scope, names)) ?? {};
    expect(values).toMatchObject({
      networks: { net: ['10.0.0.5', '192.0.2.9'], n: ['10.0.0.5', '192.0.2.9'] },
      addresses: { net: [{ addr: '10.0.0.5', port: 'p', subnets: [{ id: 's' }] }, { port: null }] },
      first_address: '10.0.0.5',
      tags: ['t'],
    });
  });

  it('include consoles, with the reason where there is none', async () => {
    const scope = testScope(server, { answers });
    expect(await server.attributesOf?.(scope, ['console_urls'])).toMatchObject({
      console_urls: {
        novnc: 'http://console',
        serial: expect.stringContaining('Cannot get console url'),
      },
    });
  });
});

it('requires the subnets of its networks', () => {
  const all = {
    subnet: definition('OS::Neutron::Subnet', { network: { get_resource: 'net' } }),
    other: definition('OS::Neutron::Subnet', { network: 'else' }),
    one: definition('OS::Nova::Server', { networks: [{ network: { get_resource: 'net' } }] }),
    any: definition('OS::Nova::Server', { networks: [{ allocate_network: 'auto' }] }),
    port: definition('OS::Nova::Server', { networks: [{ port: 'p' }] }),
  };
  expect(server.implicitRequires?.(all.one, all)).toEqual(['subnet']);
  expect(server.implicitRequires?.(all.any, all)).toEqual(['subnet', 'other']);
  expect(server.implicitRequires?.(all.port, all)).toEqual([]);
});

it.each<[Properties, string]>([
  [{}, 'Neither image nor bootable volume'],
  [{ image: 'i', personality: { '/a': 'b' } }, 'personality'],
  [{ image: 'i', block_device_mapping: [{ volume_id: 'v' }] }, 'volumes are not offered'],
  [{ image: 'i', block_device_mapping_v2: [{}] }, 'Exactly one of'],
  [{ image: 'i', block_device_mapping_v2: [{ volume_id: 'v' }] }, 'Multiple bootable sources'],
  [{ image: 'i', networks: [{ fixed_ip: '10.0.0.1' }] }, 'must be set'],
  [{ image: 'i', networks: [{ port: 'p', fixed_ip: '10.0.0.1' }] }, 'fixed_ip, port'],
  [{ image: 'i', networks: [{ network: 'n', floating_ip: 'f' }] }, 'its port is not known'],
  [{ image: 'i', networks: [{ allocate_network: 'auto', tag: 'a' }] }, 'with other keys'],
  [{ image: 'i', networks: [{ port: 'p' }], security_groups: ['g'] }, 'networks/port'],
])('refuses contradicting properties: %#', (properties, message) => {
  expect(() => server.validate?.(properties)).toThrow(PropertyError);
  expect(() => server.validate?.(properties)).toThrow(message);
});

it.each(['flavor', 'image', 'user_data'])(
  'is replaced by a change of %s if the policy asks for it',
  async (what) => {
    const properties = { ...PLAIN, [what]: 'new', [`${what}_update_policy`]: 'REPLACE' };
    const [scope, change] = changed(server, PLAIN, { properties });
    await expect(server.update?.(scope, change)).rejects.toThrow(ReplacementNeeded);
    expect(scope.requests).toEqual([]);
  },
);
