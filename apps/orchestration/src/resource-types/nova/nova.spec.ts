/** Compute's types except the server. */
import { describe, expect, it } from '@jest/globals';
import { asService, throughTrust } from '@cumulet/clients/http/actor';
import type { ServiceClient } from '@cumulet/clients/http/service-client';
import type { ServiceRequest } from '@cumulet/clients/http/service-request';
import { calledIn, changed, testScope } from '../resource-scope.fixture.js';
import { flavor } from './flavor.js';
import { hostAggregate } from './host-aggregate.js';
import { keypair } from './keypair.js';
import { computeQuota } from '../quotas.js';
import { serverGroup } from './server-group.js';

describe('a key pair', () => {
  const answers = {
    'POST /v2.1/os-keypairs': { keypair: { name: 'k', private_key: 'secret', user_id: 'u' } },
    'GET /v2.1/os-keypairs/k': { keypair: { public_key: 'ssh-rsa A' } },
  };

  it('stores its private key on request only', async () => {
    const keeping = { name: 'k', save_private_key: true };
    const scope = testScope(keypair, { properties: keeping, answers });
    expect(await keypair.create(scope)).toEqual({
      physicalId: 'k',
      data: { user_id: 'u', private_key: 'secret' },
    });
    const other = testScope(keypair, { properties: { name: 'k' }, answers });
    expect(await keypair.create(other)).toEqual({ physicalId: 'k', data: { user_id: 'u' } });
  });

  it('shows both keys', async () => {
    const data = { private_key: 'secret' };
    const scope = testScope(keypair, { physicalId: 'k', data, answers });
    expect(await keypair.attributesOf?.(scope, [])).toEqual({
      public_key: 'ssh-rsa A',
      private_key: 'secret',
    });
  });

  it('is deleted before its replacement needs the name', async () => {
    const scope = testScope(keypair, { physicalId: 'k' });
    await keypair.prepareForReplacement?.(scope);
    expect(calledIn(scope)).toEqual(['DELETE /v2.1/os-keypairs/k']);
  });

  it("is deleted as its creator's, whoever deletes it", async () => {
    const asked: ServiceRequest[] = [];
    const find = (request: ServiceRequest): Promise<undefined> => {
      asked.push(request);
      return Promise.resolve(undefined);
    };
    const services = { compute: { find } as unknown as ServiceClient };
    const scope = testScope(keypair, { physicalId: 'k', data: { user_id: 'u' }, services });
    await keypair.remove({ ...scope, actor: throughTrust(undefined, 'of another user') });
    expect(asked).toMatchObject([{ actor: asService(scope.ctx), query: { user_id: 'u' } }]);
  });
});

describe('a flavor', () => {
  const path = '/v2.1/flavors/id-1';
  const answers = {
    'POST /v2.1/flavors': { flavor: { id: 'new' } },
    [`GET ${path}/os-extra_specs`]: { extra_specs: { old: '1' } },
    [`POST ${path}/os-extra_specs`]: {},
    [`GET ${path}/os-flavor-access`]: { flavor_access: [{ tenant_id: 'gone' }] },
    [`POST ${path}/action`]: {},
  };

  it('is created with a given or a generated ID', async () => {
    const scope = testScope(flavor, { properties: { ram: 64, vcpus: 1 }, answers });
    expect(await flavor.create(scope)).toEqual({ physicalId: 'new' });
    expect(scope.requests[0]?.json).toEqual({
      flavor: {
        name: 'shop-web-k3jd8s2mxq5p',
        ram: 64,
        vcpus: 1,
        disk: 0,
        swap: 0,
        id: null,
        rxtx_factor: 1,
        'OS-FLV-EXT-DATA:ephemeral': 0,
        'os-flavor-access:is_public': true,
      },
    });
  });

  it('gets its extra specs and projects', async () => {
    const properties = { ram: 64, vcpus: 1, is_public: false, extra_specs: { 'hw:a': 2 } };
    const [scope, change] = changed(
      flavor,
      { ...properties, extra_specs: {} },
      { properties, answers },
    );
    await flavor.update?.(scope, change);
    expect(calledIn(scope).slice(1)).toEqual([
      `DELETE ${path}/os-extra_specs/old`,
      `POST ${path}/os-extra_specs`,
    ]);
    const other = testScope(flavor, { properties, answers: { ...answers, [`GET ${path}`]: {} } });
    await flavor.isCreated?.(other);
    expect(other.requests.slice(-2).map(({ json }) => json)).toEqual([
      { removeTenantAccess: { tenant: 'gone' } },
      { addTenantAccess: { tenant: 'project-1' } },
    ]);
  });
});

describe('a host aggregate', () => {
  const path = '/v2.1/os-aggregates/7';
  const answers = {
    'POST /v2.1/os-aggregates': { aggregate: { id: 7 } },
    [`GET ${path}`]: {
      aggregate: { hosts: ['old'], metadata: { availability_zone: 'z', gone: '1' } },
    },
    [`POST ${path}/action`]: {},
  };
  const properties = { name: 'a', hosts: ['new'], metadata: { ssd: true } };

  it('has the ID from compute', async () => {
    const scope = testScope(hostAggregate, { properties, answers });
    expect(await hostAggregate.create(scope)).toEqual({ physicalId: '7' });
  });

  it('gets its hosts and metadata', async () => {
    const scope = testScope(hostAggregate, { properties, physicalId: '7', answers });
    await hostAggregate.isCreated?.(scope);
    expect(scope.requests.slice(1).map(({ json }) => json)).toEqual([
      { add_host: { host: 'new' } },
      { remove_host: { host: 'old' } },
      { set_metadata: { metadata: { gone: null, ssd: 'true' } } },
    ]);
  });

  it('removes its hosts before it is deleted', async () => {
    const scope = testScope(hostAggregate, { properties, physicalId: '7', answers });
    await hostAggregate.remove(scope);
    expect(scope.requests[1]?.json).toEqual({ remove_host: { host: 'old' } });
    expect(calledIn(scope).at(-1)).toBe(`DELETE ${path}`);
  });
});

it('a server group has one policy', async () => {
  expect(() => serverGroup.validate?.({ policies: [] })).toThrow('exactly one policy');
  const answers = { 'POST /v2.1/os-server-groups': { server_group: { id: 'g' } } };
  const scope = testScope(serverGroup, {
    properties: { rules: { max_server_per_host: 2 } },
    answers,
  });
  await serverGroup.create(scope);
  expect(scope.requests[0]?.json).toMatchObject({
    server_group: { policy: 'anti-affinity', rules: { max_server_per_host: 2 } },
  });
});

it('quotas are reset before they are set anew', async () => {
  const path = '/v2.1/os-quota-sets/p';
  const properties = { project: 'p', cores: 4 };
  const [scope, change] = changed(
    computeQuota,
    { project: 'p', ram: 1 },
    {
      properties,
      answers: { [`PUT ${path}`]: {} },
    },
  );
  await computeQuota.update?.(scope, change);
  expect(calledIn(scope)).toEqual([`DELETE ${path}`, `PUT ${path}`]);
  expect(scope.requests[1]?.json).toEqual({ quota_set: { cores: 4 } });
});
