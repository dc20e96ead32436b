import { describe, expect, it } from '@jest/globals';
import { ResourceInErrorError, ServiceMissingError } from '../resource-type.errors.js';
import type { JsonObject } from '../../json/json.js';
import { changed, testScope, type Answers } from '../resource-scope.fixture.js';
import { cluster, clusterTemplate } from './cluster.js';

const PATH = '/v1/clusters/id-1';

describe('a cluster', () => {
  const properties = { cluster_template: 't' };

  it('is created from its template', async () => {
    const answers = { 'POST /v1/clusters': { uuid: 'c' } };
    const scope = testScope(cluster, { properties, answers });
    expect(await cluster.create(scope)).toEqual({ physicalId: 'c' });
    expect(scope.requests[0]?.headers).toEqual({ 'OpenStack-API-Version': 'container-infra 1.11' });
    expect(scope.requests[0]?.json).toEqual({
      name: 'shop-web-k3jd8s2mxq5p',
      cluster_template_id: 't',
      node_count: 1,
      master_count: 1,
      create_timeout: 60,
    });
  });

  it('requires the clusters service', async () => {
    const scope = testScope(cluster, { properties, services: { clusters: undefined } });
    await expect(cluster.create(scope)).rejects.toThrow(new ServiceMissingError('clusters'));
  });

  it('is updating until the service is done', async () => {
    const after = { ...properties, node_count: 3 };
    const answers = { [`PATCH ${PATH}`]: {}, [`GET ${PATH}`]: { status: 'CREATE_COMPLETE' } };
    const [scope, change] = changed(cluster, properties, { properties: after, answers });
    const { data = {} } = (await cluster.update?.(scope, change)) ?? {};
    expect(scope.requests[0]?.json).toEqual([{ op: 'replace', path: '/node_count', value: 3 }]);
    const looking = (status: string) =>
      cluster.isUpdated?.(testScope(cluster, { data, answers: { [`GET ${PATH}`]: { status } } }));
    expect(await looking('CREATE_COMPLETE')).toBe(false);
    expect(await looking('UPDATE_COMPLETE')).toBe(true);
    await expect(looking('UPDATE_FAILED')).rejects.toThrow(ResourceInErrorError);
  });

  it("is complete once the service is done, or fails with the service's message", async () => {
    const looking = (shown: JsonObject) =>
      cluster.isCreated?.(testScope(cluster, { answers: { [`GET ${PATH}`]: shown } }));
    expect(await looking({ status: 'CREATE_IN_PROGRESS' })).toBe(false);
    expect(await looking({ status: 'CREATE_COMPLETE' })).toBe(true);
    const reason = 'The node web-1 did not join within 60 minutes.';
    await expect(looking({ status: 'CREATE_FAILED', status_reason: reason })).rejects.toThrow(
      reason,
    );
  });

  it('is gone once the service does not show it', async () => {
    const answers: Answers = { [`DELETE ${PATH}`]: {}, [`GET ${PATH}`]: undefined };
    const scope = testScope(cluster, { answers });
    await cluster.remove(scope);
    expect(await cluster.isRemoved?.(scope)).toBe(true);
    const shown = { status: 'DELETE_IN_PROGRESS' };
    const going = testScope(cluster, { answers: { [`GET ${PATH}`]: shown } });
    expect(await cluster.isRemoved?.(going)).toBe(false);
  });

  it('shows its addresses and nodes', async () => {
    const shown = {
      api_address: 'https://203.0.113.7:6443',
      node_addresses: ['10.0.0.5'],
      stack_id: 's',
      coe_version: 'v1.35.4',
    };
    const scope = testScope(cluster, { answers: { [`GET ${PATH}`]: shown } });
    expect(await cluster.attributesOf?.(scope, [...Object.keys(shown), 'keypair'])).toEqual({
      ...shown,
      keypair: null,
    });
  });
});

describe('a cluster template', () => {
  const properties = { coe: 'kubernetes', image: 'i', external_network: 'n', flavor: 'f' };

  it('refers to resources by ID', async () => {
    const answers = { 'POST /v1/clustertemplates': { uuid: 't' } };
    const scope = testScope(clusterTemplate, { properties, answers });
    await clusterTemplate.create(scope);
    expect(scope.requests[0]?.json).toMatchObject({
      image_id: 'i',
      external_network_id: 'n',
      flavor_id: 'f',
      coe: 'kubernetes',
    });
  });

  it('is made public or private in place', async () => {
    const path = '/v1/clustertemplates/id-1';
    const answers = { [`PATCH ${path}`]: {} };
    const after = { ...properties, public: true };
    const [scope, change] = changed(clusterTemplate, properties, { properties: after, answers });
    await clusterTemplate.update?.(scope, change);
    expect(scope.requests[0]?.json).toEqual([{ op: 'replace', path: '/public', value: true }]);
  });

  it('requires a volume driver that suits its container engine', () => {
    expect(() => clusterTemplate.validate?.({ ...properties, volume_driver: 'rexray' })).toThrow(
      'expecting cinder',
    );
  });
});
