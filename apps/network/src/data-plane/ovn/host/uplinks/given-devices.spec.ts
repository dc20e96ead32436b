import { describe, expect, it } from '@jest/globals';
import { isMeant } from './given-devices.js';
import { parsePhysicalDevices } from './uplink-settings.js';

describe('devices of physical networks', () => {
  it('are read by network', () => {
    expect(parsePhysicalDevices('public=eth1, lab=203.0.113.0/24')).toEqual(
      new Map([
        ['public', 'eth1'],
        ['lab', '203.0.113.0/24'],
      ]),
    );
  });

  it.each([
    '',
    'public',
    'public=',
    '=eth1',
    'public=eth1=eth2',
    'public=eth1,public=eth2',
    'public=a-name-that-is-too-long',
    'public=eth1 up',
    'public=../eth1',
    'public=203.0.113.1/24',
    'public=2001:db8::/64',
  ])('are refused as `%s`', (text) => {
    expect(parsePhysicalDevices(text)).toBeUndefined();
  });
});

it.each([
  ['eth1', true],
  ['eth10', false],
  ['203.0.113.0/24', true],
  ['203.0.113.0/25', false],
])('the device eth1 with an address of 203.0.113.128/25 is meant by %s: %s', (given, is) => {
  const addresses = ['192.0.2.1/24', '203.0.113.240/25'];
  expect(isMeant(given, { device: 'eth1', addresses })).toBe(is);
});
