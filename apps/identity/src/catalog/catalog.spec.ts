import { describe, expect, it } from '@jest/globals';
import { testConfig } from '../identity.fixture.js';
import { catalogFor } from './catalog.js';

const config = testConfig('postgres://localhost/unused', { region: 'North' });

function urlsOf(projectId?: string): Record<string, string | undefined> {
  const entries = catalogFor(config, 'http://identity.example', projectId);
  return Object.fromEntries(entries.map(({ type, endpoints }) => [type, endpoints[0]?.url]));
}

describe('catalogFor', () => {
  it('holds identity and every service that has an address, with the path clients want', () => {
    expect(urlsOf('abc')).toEqual({
      identity: 'http://identity.example/v3',
      compute: 'http://compute.example/v2.1',
      orchestration: 'http://orchestration.example/v1/abc',
    });
  });

  it('leaves out URLs that hold a project where there is none', () => {
    expect(Object.keys(urlsOf())).toEqual(['identity', 'compute']);
  });

  it('gives each endpoint its interface and region', () => {
    const [identity] = catalogFor(config, 'http://identity.example', 'abc');
    expect(identity).toMatchObject({ type: 'identity', name: 'keystone' });
    expect(identity?.endpoints.map((one) => [one.interface, one.region, one.region_id])).toEqual([
      ['public', 'North', 'North'],
      ['internal', 'North', 'North'],
      ['admin', 'North', 'North'],
    ]);
  });

  it('keeps its ids, all of them different', () => {
    const ids = (): string[] =>
      catalogFor(config, 'http://identity.example', 'abc').flatMap(({ id, endpoints }) => [
        id,
        ...endpoints.map((one) => one.id),
      ]);
    expect(ids()).toEqual(ids());
    expect(new Set(ids()).size).toBe(ids().length);
    expect(ids().every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  });
});
