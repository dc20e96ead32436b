import { describe, expect, it } from '@jest/globals';
import {
  Microversion,
  MicroversionOutOfRangeError,
  negotiate,
  rangeHeaders,
  versionHeaders,
  type MicroversionRange,
} from './microversion.js';

const range: MicroversionRange = {
  service: 'compute',
  legacyHeader: 'X-OpenStack-Nova-API-Version',
  min: new Microversion(2, 1),
  max: new Microversion(2, 96),
};

describe('negotiate', () => {
  it.each([
    ['no header', {}, '2.1'],
    ['the standard header', { 'openstack-api-version': 'compute 2.47' }, '2.47'],
    ['latest', { 'openstack-api-version': 'compute latest' }, '2.96'],
    ['one of several services', { 'openstack-api-version': 'volume 3.1, compute 2.9' }, '2.9'],
    ['another service alone', { 'openstack-api-version': 'volume 3.50' }, '2.1'],
    ['the older header', { 'x-openstack-nova-api-version': '2.53' }, '2.53'],
    [
      'both, of which the standard one counts',
      { 'openstack-api-version': 'compute 2.2', 'x-openstack-nova-api-version': '2.53' },
      '2.2',
    ],
  ])('takes %s', (_, headers: Record<string, string>, expected) => {
    expect(negotiate(headers, range).toString()).toBe(expected);
  });

  it.each(['2', '2.01', '2.1.1', 'two', '2.-1'])('refuses the malformed %s', (version) => {
    expect(() => negotiate({ 'openstack-api-version': `compute ${version}` }, range)).toThrow(
      `API Version String '${version}' is of invalid format. It must be of format MajorNum.MinorNum.`,
    );
  });

  it.each(['2.0', '2.97', '3.1', '1.50'])('refuses the unsupported %s', (version) => {
    const asking = () => negotiate({ 'openstack-api-version': `compute ${version}` }, range);
    expect(asking).toThrow(MicroversionOutOfRangeError);
    expect(asking).toThrow(
      `Version ${version} is not supported by the API. Minimum is 2.1 and maximum is 2.96.`,
    );
  });
});

it('the answer has its version in both headers, and varies by them', () => {
  expect(versionHeaders(range, new Microversion(2, 47))).toEqual({
    'OpenStack-API-Version': 'compute 2.47',
    'X-OpenStack-Nova-API-Version': '2.47',
    Vary: 'OpenStack-API-Version, X-OpenStack-Nova-API-Version',
  });
});

it('aliases of the service are accepted', () => {
  const headers = { 'openstack-api-version': 'computing 2.9' };
  expect(negotiate(headers, range).toString()).toBe('2.1');
  expect(negotiate(headers, { ...range, aliases: ['computing'] }).toString()).toBe('2.9');
});

it('the answer has the range if the service announces it', () => {
  expect(rangeHeaders(range)).toEqual({});
  expect(rangeHeaders({ ...range, isAnnounced: true })).toEqual({
    'OpenStack-API-Minimum-Version': 'compute 2.1',
    'OpenStack-API-Maximum-Version': 'compute 2.96',
  });
});

it('versions compare by number, not by text', () => {
  expect(new Microversion(2, 10).atLeast(9)).toBe(true);
  expect(new Microversion(2, 9).atLeast(10)).toBe(false);
});
