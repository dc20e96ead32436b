import { describe, expect, it } from '@jest/globals';
import { ResourceInErrorError, ServiceMissingError } from '../resource-type.errors.js';
import { changed, testScope } from '../resource-scope.fixture.js';
import { clusterTemplate } from './cluster-template.js';
import { cluster } from './cluster.js';

const PATH = '/v1/clusters/id-1';

describe('a cluster', () => {
  const properties = { cluster_template: 't' };

  it('is made of its template', async () => {
    const answers = { 'POST /v1/clusters': { uuid: 'c' } };
    const scope = testScope(cluster, { properties, answers });
    expect(await cluster.create(scope)).toEqual({ physicalId: 'c' });
    expect(scope.asked[0]?.json).toEqual({
      name: 'shop-web-k3jd8s2mxq5p',
      cluster_template_id: 't',
      node_count: 1,
      master_count: 1,
      create_timeout: 60,
    });
  });

  it('needs a service that has clusters', async () => {
    const scope = testScope(cluster, { properties, services: { clusters: undefined } });
    await expect(cluster.create(scope)).rejects.toThrow(new ServiceMissingError('clusters'));
  });

  it('changes until the service says so', async () => {
    const after = { ...properties, node_count: 3 };
    const answers = { [`PATCH ${PATH}`]: {}, [`GET ${PATH}`]: { status: 'CREATE_COMPLETE' } };
    const [scope, change] = changed(cluster, properties, { properties: after, answers });
    const { data = {} } = (await cluster.update?.(scope, change)) ?? {};
    expect(scope.asked[0]?.json).toEqual([{ op: 'replace', path: '/node_count', value: 3 }]);
    const looking = (status: string) =>
      cluster.isUpdated?.(testScope(cluster, { data, answers: { [`GET ${PATH}`]: { status } } }));
    expect(await looking('CREATE_COMPLETE')).toBe(false);
    expect(await looking('UPDATE_COMPLETE')).toBe(true);
    await expect(looking('UPDATE_FAILED')).rejects.toThrow(ResourceInErrorError);
  });
});

describe('a cluster template', () => {
  const properties = { coe: 'kubernetes', image: 'i', external_network: 'n', flavor: 'f' };

  it('names what it is made of by ids', async () => {
    const answers = { 'POST /v1/clustertemplates': { uuid: 't' } };
    const scope = testScope(clusterTemplate, { properties, answers });
    await clusterTemplate.create(scope);
    expect(scope.asked[0]?.json).toMatchObject({
      image_id: 'i',
      external_network_id: 'n',
      flavor_id: 'f',
      coe: 'kubernetes',
    });
  });

  it('has a driver of volumes that goes with what runs its containers', () => {
    expect(() => clusterTemplate.validate?.({ ...properties, volume_driver: 'rexray' })).toThrow(
      'expecting cinder',
    );
  });
});
