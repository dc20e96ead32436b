import { describe, expect, it } from '@jest/globals';
import type { UserLink } from '../../ports/guest-nic.js';
import { userNetworkArguments } from './user-network.js';

const LINK: UserLink = {
  kind: 'user',
  address: '10.1.0.5',
  cidr: '10.1.0.0/24',
  gatewayIp: '10.1.0.1',
  forwards: [],
};
const to = { host: '127.0.0.1', port: 8775 };

const args = (changes: Partial<UserLink> = {}): string[] =>
  userNetworkArguments({ ...LINK, ...changes }, 'net0');

function optionsOf(changes: Partial<UserLink>): string | undefined {
  const list = args(changes);
  return list[list.indexOf('-netdev') + 1];
}

describe('userNetworkArguments', () => {
  it('gives a guest the address of its port, and isolates it', () => {
    expect(args()).toEqual([
      '-netdev',
      'user,id=net0,ipv6=off,restrict=on,net=10.1.0.0/24,host=10.1.0.1,dns=10.1.0.0,dhcpstart=10.1.0.5',
    ]);
  });

  it('forwards named connections, and waits for the listener', () => {
    const forwards = [{ address: '10.1.0.9', port: 80, to }];
    expect(args({ forwards }).slice(0, 2)).toEqual([
      '-chardev',
      'socket,id=net0-forward0,host=127.0.0.1,port=8775,reconnect=1',
    ]);
    expect(optionsOf({ forwards })).toContain(',guestfwd=tcp:10.1.0.9:80-chardev:net0-forward0');
  });

  it.each<[string, Partial<UserLink>, string]>([
    ['at the gateway', { gatewayIp: '10.1.0.254' }, '10.1.0.254'],
    ['elsewhere, without a gateway', { gatewayIp: null }, '10.1.0.1'],
    ['elsewhere, with a gateway outside', { gatewayIp: '192.0.2.1' }, '10.1.0.1'],
    ['elsewhere, where the guest is the gateway', { address: '10.1.0.1' }, '10.1.0.2'],
    [
      'beside what is forwarded',
      { gatewayIp: '10.1.0.1', forwards: [{ address: '10.1.0.1', port: 80, to }] },
      '10.1.0.2',
    ],
    ['in the smallest subnet', { cidr: '10.1.0.4/30', gatewayIp: null }, '10.1.0.6'],
  ])('gives the network itself %s', (_, changes, host) => {
    expect(optionsOf(changes)).toContain(`,host=${host},`);
  });

  it('counts addresses above 128.0.0.0 as well', () => {
    const changes = { cidr: '203.0.113.0/24', address: '203.0.113.254', gatewayIp: null };
    expect(optionsOf(changes)).toContain(
      'net=203.0.113.0/24,host=203.0.113.1,dns=203.0.113.0,dhcpstart=203.0.113.254',
    );
  });

  const forwarding = (address: string, port = 80, host = '127.0.0.1') => ({
    forwards: [{ address, port, to: { host, port: 1 } }],
  });

  it.each<[Partial<UserLink>, string]>([
    [{ address: '10.2.0.5' }, '10.2.0.5 is not an address in 10.1.0.0/24'],
    [{ address: '10.1.0.0' }, '10.1.0.0 is not an address in 10.1.0.0/24'],
    [{ address: '10.1.0.255' }, '10.1.0.255 is not an address in 10.1.0.0/24'],
    [{ address: '2001:db8::1' }, '2001:db8::1 is not an IPv4 address'],
    [{ address: '10.1.0.5,restrict=off' }, '10.1.0.5,restrict=off is not an IPv4 address'],
    [{ cidr: '10.1.0.4/31' }, 'from 4 to 30, not 31'],
    [{ cidr: '0.0.0.0/3' }, 'from 4 to 30, not 3'],
    [{ cidr: '10.1.0.1/24' }, '10.1.0.1/24 has bits beyond its prefix'],
    [{ cidr: '10.1.0.0' }, '10.1.0.0 is not a CIDR'],
    [{ cidr: '10.1.0.0/24,restrict=off' }, '10.1.0.0/24,restrict=off is not a CIDR'],
    [{ gatewayIp: 'x,restrict=off' }, 'x,restrict=off is not an IPv4 address'],
    [forwarding('169.254.169.254'), '169.254.169.254 is not an address in 10.1.0.0/24'],
    [forwarding('10.1.0.5'), "10.1.0.5 is the guest's own and cannot be forwarded"],
    [forwarding('10.1.0.9', 0), 'a port must be a whole number from 1 to 65535, not 0'],
    [forwarding('10.1.0.9', 80, 'localhost'), 'localhost is not an IPv4 address'],
    [
      { cidr: '10.1.0.4/30', gatewayIp: null, ...forwarding('10.1.0.6') },
      '10.1.0.4/30 has no address for the network itself',
    ],
  ])('refuses %j', (changes, why) => {
    expect(() => args(changes)).toThrow(
      expect.objectContaining({ kind: 'bug', message: expect.stringContaining(why) }),
    );
  });
});
