import { describe, expect, it } from '@jest/globals';
import { clashOf, parseUplinkAddresses } from './uplink-settings.js';

describe("the machine's addresses on physical networks", () => {
  it('are parsed with the names of networks', () => {
    const addresses = parseUplinkAddresses('public=172.24.4.1/24, other=10.0.0.9/8');
    expect([...(addresses ?? [])]).toEqual([
      ['public', '172.24.4.1/24'],
      ['other', '10.0.0.9/8'],
    ]);
  });

  it.each([
    ['without a network', '172.24.4.1/24'],
    ['with an empty name', '=172.24.4.1/24'],
    ['without a prefix', 'public=172.24.4.1'],
    ['with a prefix that leaves no neighbour', 'public=172.24.4.1/32'],
    ['with a prefix that is none', 'public=172.24.4.1/033'],
    ['that are the network itself', 'public=172.24.4.0/24'],
    ['that are its broadcast address', 'public=172.24.4.255/24'],
    ['of IPv6', 'public=2001:db8::1/64'],
    ['twice for one network', 'public=172.24.4.1/24,public=172.24.5.1/24'],
    ['with an end', 'public=172.24.4.1/24,'],
    ['with two signs', 'public=172.24.4.1/24=1'],
  ])('are refused %s', (_, text) => {
    expect(parseUplinkAddresses(text)).toBeUndefined();
  });

  it.each([
    ['172.24.4.0/24', true],
    ['172.16.0.0/12', true],
    ['172.24.4.128/25', true],
    ['172.24.4.1', true],
    ['172.24.5.0/24', false],
    ['172.24.5.1', false],
    ['default', false],
    ['0.0.0.0/0', false],
    ['128.0.0.0/1', false],
  ])('conflict with a route to %s: %s', (dst, clashes) => {
    const route = { dst, dev: 'eth0' };
    expect(clashOf('172.24.4.1/24', [route])).toBe(clashes ? route : undefined);
  });
});
