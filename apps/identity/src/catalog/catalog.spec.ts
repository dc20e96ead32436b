import { describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import {
  catalogOf,
  type CatalogEntry,
  type CatalogFor,
  type CatalogRow,
  type CatalogRowEndpoint,
} from './catalog.js';

const token: CatalogFor = { userId: 'u', projectId: 'p', baseUrl: 'http://identity.example' };

function row(type: string, endpoint: Partial<CatalogRowEndpoint> | null): CatalogRow {
  return {
    serviceId: asId(`id of ${type}`),
    type,
    name: `name of ${type}`,
    endpoint: endpoint && {
      id: asId('e'),
      interface: 'public',
      regionId: asId('North'),
      url: 'http://a.example',
      ...endpoint,
    },
  };
}

const urls = (entries: readonly CatalogEntry[]): unknown =>
  entries.map(({ type, endpoints }) => [type, endpoints.map(({ url }) => url)]);

describe('catalogOf', () => {
  it('replaces addresses of the cloud for guests, and no others', () => {
    const view = { publicUrl: 'http://cloud.example', doorUrl: 'http://169.254.169.254:8080' };
    const rows = [
      row('compute', { url: 'http://cloud.example/compute/v2.1' }),
      row('mail', { url: 'http://mail.example/$(project_id)s' }),
      row('s3', { url: 'http://cloud.example:9000' }),
    ];
    expect(urls(catalogOf(rows, { ...token, view }))).toEqual([
      ['compute', ['http://169.254.169.254:8080/compute/v2.1']],
      ['mail', ['http://mail.example/p']],
      ['s3', ['http://cloud.example:9000']],
    ]);
  });

  it('has the endpoints of a service in its entry, in the order of the rows', () => {
    const rows = [
      row('compute', { id: asId('one') }),
      row('compute', { id: asId('two'), interface: 'admin', url: 'http://b.example' }),
    ];
    expect(catalogOf(rows, token)).toEqual([
      {
        id: 'id of compute',
        type: 'compute',
        name: 'name of compute',
        endpoints: [
          {
            id: 'one',
            interface: 'public',
            region_id: 'North',
            region: 'North',
            url: 'http://a.example',
          },
          {
            id: 'two',
            interface: 'admin',
            region_id: 'North',
            region: 'North',
            url: 'http://b.example',
          },
        ],
      },
    ]);
  });

  it('fills in URLs from the token and the address of the request', () => {
    const rows = [
      row('identity', { url: '$(public_endpoint)s/v3' }),
      row('orchestration', { url: 'http://o.example/v1/%(tenant_id)s' }),
      row('mail', { url: 'http://m.example/%(user_id)s' }),
    ];
    expect(urls(catalogOf(rows, token))).toEqual([
      ['identity', ['http://identity.example/v3']],
      ['orchestration', ['http://o.example/v1/p']],
      ['mail', ['http://m.example/u']],
    ]);
  });

  it('leaves out endpoints that name a project where there is none, and keeps their service', () => {
    const rows = [
      row('compute', {}),
      row('orchestration', { url: 'http://o.example/v1/%(project_id)s' }),
    ];
    expect(urls(catalogOf(rows, { ...token, projectId: undefined }))).toEqual([
      ['compute', ['http://a.example']],
      ['orchestration', []],
    ]);
  });

  it('keeps a service that has no endpoint', () => {
    expect(urls(catalogOf([row('compute', null)], token))).toEqual([['compute', []]]);
  });

  it('shows an endpoint without a region', () => {
    const [entry] = catalogOf([row('compute', { regionId: null })], token);
    expect(entry?.endpoints).toMatchObject([{ region: null, region_id: null }]);
  });

  it('keeps two services of one type apart', () => {
    const other = { ...row('compute', {}), serviceId: asId<CatalogRow['serviceId']>('another') };
    expect(catalogOf([row('compute', {}), other], token)).toHaveLength(2);
  });
});
