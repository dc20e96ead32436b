/** In-place updates of a server, step by step. */
import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../json/json.js';
import { ResourceInErrorError } from '../resource-type.errors.js';
import {
  calledIn,
  changed,
  testScope,
  type Answers,
  type TestScope,
} from '../resource-scope.fixture.js';
import { server } from './server.js';
import type { Properties } from '../../constraints/property-schema.js';

const PATH = '/v2.1/servers/id-1';
const PLAIN = { image: 'i', flavor: 'f', user_data_format: 'RAW' };

const shown = (fields: JsonObject): Answers => ({ [`GET ${PATH}`]: { server: fields } });

async function begun(
  before: Properties,
  after: Properties,
  answers: Answers,
): Promise<readonly [TestScope, JsonObject]> {
  const properties = { ...PLAIN, ...after };
  const [scope, change] = changed(server, { ...PLAIN, ...before }, { properties, answers });
  const { data = {} } = (await server.update?.(scope, change)) ?? {};
  return [scope, data];
}

/** Polls the update of a server with these properties and data once. */
async function looked(
  data: JsonObject,
  answers: Answers,
  properties: Properties = {},
): Promise<readonly [boolean | undefined, TestScope, JsonObject]> {
  const scope = testScope(server, { properties: { ...PLAIN, ...properties }, data, answers });
  const isDone = await server.isUpdated?.(scope);
  return [isDone, scope, scope.kept.at(-1) ?? data];
}

describe('immediate changes', () => {
  it('update name, metadata, tags and password', async () => {
    const [scope] = await begun(
      { metadata: { old: '1' } },
      { name: 'db', metadata: { a: 1 }, tags: ['t'], admin_pass: 's' },
      {
        [`POST ${PATH}/metadata`]: {},
        [`PUT ${PATH}/tags`]: {},
        [`PUT ${PATH}`]: {},
        [`POST ${PATH}/action`]: {},
      },
    );
    expect(scope.requests.map(({ method, path, json }) => [`${method} ${path}`, json])).toEqual([
      [`DELETE ${PATH}/metadata/old`, undefined],
      [`POST ${PATH}/metadata`, { metadata: { a: '1' } }],
      [`PUT ${PATH}/tags`, { tags: ['t'] }],
      [`PUT ${PATH}`, { server: { name: 'db' } }],
      [`POST ${PATH}/action`, { changePassword: { adminPass: 's' } }],
    ]);
  });
});

describe('a change of flavor', () => {
  const flavor = { 'GET /v2.1/flavors/g': { flavor: { name: 'large' } } };
  const of = (status: string, name: string, task: Json = null): Answers => ({
    ...shown({ status, flavor: { original_name: name }, 'OS-EXT-STS:task_state': task }),
    ...flavor,
    [`POST ${PATH}/action`]: {},
  });

  it('is requested, confirmed and completed', async () => {
    let [, data] = await begun({}, { flavor: 'g' }, {});
    expect(data).toEqual({ steps: [{ do: 'resize', flavor: 'g' }] });
    const looks: [Answers, Json | undefined, boolean][] = [
      [of('ACTIVE', 'small'), { resize: { flavorRef: 'g' } }, false],
      [of('RESIZE', 'small'), undefined, false],
      [of('VERIFY_RESIZE', 'large'), { confirmResize: null }, false],
      [of('VERIFY_RESIZE', 'large', 'resize_confirming'), undefined, false],
      [of('ACTIVE', 'large'), undefined, true],
    ];
    for (const [answers, action, isOver] of looks) {
      const [isDone, scope, store] = await looked(data, answers);
      const actions = scope.requests.filter(({ method }) => method === 'POST');
      expect([isDone, actions[0]?.json]).toEqual([isOver, action]);
      data = store;
    }
    expect(data).toEqual({ steps: [] });
  });

  it('fails if the server returns to the old flavor', async () => {
    const data = { steps: [{ do: 'resize', flavor: 'g', begun: true }] };
    await expect(looked(data, of('ACTIVE', 'small'))).rejects.toThrow(ResourceInErrorError);
  });
});

describe('a change of image', () => {
  it('rebuilds the server once', async () => {
    const after = { image: 'j', image_update_policy: 'REBUILD_PRESERVE_EPHEMERAL' };
    let [, data] = await begun({}, after, {});
    const answers = { [`POST ${PATH}/action`]: {} };
    const active = { ...answers, ...shown({ status: 'ACTIVE' }) };
    const [isDone, scope, store] = await looked(data, active, after);
    expect(isDone).toBe(false);
    expect(scope.requests.at(-1)?.json).toEqual({
      rebuild: { imageRef: 'j', metadata: {}, preserve_ephemeral: true },
    });
    data = store;
    expect((await looked(data, shown({ status: 'REBUILD' })))[0]).toBe(false);
    expect((await looked(data, shown({ status: 'ACTIVE' })))[0]).toBe(true);
  });

  it('rebuilds the server for new user data if the policy asks for it', async () => {
    const after = { user_data: 'echo', user_data_update_policy: 'REBUILD' };
    const [, data] = await begun({}, after, {});
    const answers = { ...shown({ status: 'ACTIVE' }), [`POST ${PATH}/action`]: {} };
    const [, scope] = await looked(data, answers, after);
    const userData = Buffer.from('echo').toString('base64');
    expect(scope.requests.at(-1)?.json).toMatchObject({
      rebuild: { imageRef: 'i', user_data: userData },
    });
  });
});

describe('a change of NICs', () => {
  const nic = (port: string, network: string, address: string): JsonObject => ({
    port_id: port,
    net_id: network,
    fixed_ips: [{ ip_address: address, subnet_id: `subnet-of-${network}` }],
  });
  const interfaces = `GET ${PATH}/os-interface`;
  const two = {
    [interfaces]: {
      interfaceAttachments: [nic('p', 'n', '10.0.0.4'), nic('q', 'm', '10.1.0.4')],
    },
  };

  it('detaches and attaches NICs, and keeps the same ones', async () => {
    const before = { networks: [{ network: 'n' }, { network: 'm' }] };
    const after = { networks: [{ network: 'n' }, { port: 'r' }] };
    const [, data] = await begun(before, after, two);
    expect(data['steps']).toEqual([
      { do: 'detach', port: 'q', network: { network: 'm' } },
      { do: 'attach', network: { port: 'r' } },
    ]);
    const attached = { ...two, [`POST ${PATH}/os-interface`]: {} };
    const [first, asked, store] = await looked(data, {
      ...attached,
      [`GET ${PATH}/os-interface/q`]: {},
    });
    expect(first).toBe(false);
    expect(calledIn(asked)[0]).toBe(`DELETE ${PATH}/os-interface/q`);
    const [second, scope] = await looked(store, attached);
    expect(second).toBe(true);
    expect(scope.requests.at(-1)?.json).toEqual({ interfaceAttachment: { port_id: 'r' } });
  });

  it.each<[string, Properties['networks'] & object, Properties['networks'] & object]>([
    ['its network', [{ subnet: 'subnet-of-n' }], [{ network: 'n' }]],
    ['its subnet', [{ network: 'n' }], [{ subnet: 'subnet-of-n' }]],
    ['both', [{ network: 'n' }], [{ network: 'n', subnet: 'subnet-of-n' }]],
    ['its address', [{ network: 'n' }], [{ network: 'n', fixed_ip: '10.0.0.4' }]],
    ['its port', [{ network: 'n' }], [{ port: 'p' }]],
    [
      'each of several by another',
      [{ network: 'n' }, { network: 'm', fixed_ip: '10.1.0.4' }],
      [{ subnet: 'subnet-of-m' }, { network: 'n', fixed_ip: '10.0.0.4' }],
    ],
    [
      'an address that another nic might have',
      [{ network: 'n' }, { network: 'm' }],
      [{ port: 'q' }, { network: 'n', fixed_ip: '10.0.0.4' }],
    ],
  ])('keeps NICs if only %s describes them', async (_, before, after) => {
    const [, data] = await begun({ networks: before }, { networks: after }, two);
    expect(data['steps']).toEqual([]);
  });

  it('matches the most specific NICs first', async () => {
    const both = {
      [interfaces]: {
        interfaceAttachments: [nic('p', 'n', '10.0.0.4'), nic('q', 'n', '10.0.0.5')],
      },
    };
    const [, data] = await begun(
      { networks: [{ network: 'n' }, { network: 'n', fixed_ip: '10.0.0.5' }] },
      { networks: [{ network: 'n' }, { network: 'n', fixed_ip: '10.0.0.4' }] },
      both,
    );
    expect(data['steps']).toEqual([]);
  });

  it('replaces a NIC to associate a floating IP with it', async () => {
    const [, data] = await begun(
      { networks: [{ network: 'n' }] },
      { networks: [{ network: 'n', floating_ip: 'f' }] },
      two,
    );
    expect(data['steps']).toEqual([
      { do: 'detach', port: 'p', network: { network: 'n' } },
      { do: 'attach', network: { network: 'n', floating_ip: 'f' } },
    ]);
  });

  it('attaches ports that are created under a key', async () => {
    const data = { made: 2, ports: ['a'], steps: [{ do: 'attach', network: { network: 'n' } }] };
    const [isDone, scope, store] = await looked(data, {
      ...two,
      'POST /v2.0/ports': { port: { id: 'new' } },
      [`POST ${PATH}/os-interface`]: {},
    });
    expect(isDone).toBe(true);
    expect(scope.requests[1]).toMatchObject({ path: '/v2.0/ports', key: 'key-port-2' });
    expect(store).toEqual({ made: 3, ports: ['a', 'new'], steps: [] });
  });

  it("deletes a NIC's own port with it", async () => {
    const step = { do: 'detach', port: 'a', network: {}, begun: true };
    const [isDone, scope, store] = await looked({ ports: ['a'], made: 1, steps: [step] }, {});
    expect(isDone).toBe(true);
    expect(calledIn(scope)).toEqual([`GET ${PATH}/os-interface/a`, 'DELETE /v2.0/ports/a']);
    expect(store).toEqual({ ports: [], made: 1, steps: [] });
  });

  it("updates a NIC's own port in place", async () => {
    const properties = (name: string): Properties => ({
      ...PLAIN,
      networks: [{ network: 'n', port_extra_properties: { port_security_enabled: name === 'on' } }],
    });
    const data = { ports: ['p'], made: 1 };
    const options = { properties: properties('off'), data, answers: two };
    const [scope, change] = changed(server, properties('on'), options);
    const { data: store = {} } = (await server.update?.(scope, change)) ?? {};
    const [isDone, later] = await looked(store, { 'PUT /v2.0/ports/p': {} });
    expect(isDone).toBe(true);
    expect(later.requests.at(-1)?.json).toEqual({ port: { port_security_enabled: false } });
  });

  it('detaches all for a word, and attaches one for `auto`', async () => {
    const [, data] = await begun(
      { networks: [{ network: 'n' }] },
      { networks: [{ allocate_network: 'auto' }] },
      two,
    );
    expect(data['steps']).toEqual([
      { do: 'detach', port: 'p', network: {} },
      { do: 'detach', port: 'q', network: {} },
      { do: 'attach', network: {} },
    ]);
  });
});
