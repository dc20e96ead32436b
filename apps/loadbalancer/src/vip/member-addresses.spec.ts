/** Where members may be: not where the platform's own ports are. */
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { refuseMemberAddresses, ownAddresses, whyOwn } from './member-addresses.js';

const ON_HOST = { vipAddress: '127.90.0.5' };
const IN_NAMESPACE = { vipAddress: '10.0.0.5' };
const HELD = { loopbackMembers: false };

const LOOPBACK = ['127.0.0.1', '127.90.0.6', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'];
const NO_HOST = ['0.0.0.0', '::', '::ffff:0.0.0.0', '224.0.0.1', '255.255.255.255', 'ff02::1'];

describe('a load balancer on the host itself', () => {
  it.each([...LOOPBACK, '2002:7f00:1::1'])('cannot have a member at %s', (address) => {
    expect(() => refuseMemberAddresses(ON_HOST, HELD, [address])).toThrow(
      `Validation failure: A member cannot be at ${address}: it is a loopback address.`,
    );
  });

  it.each(NO_HOST)('cannot have a member at %s, which is not a host address', (address) => {
    expect(() => refuseMemberAddresses(ON_HOST, HELD, [address])).toThrow(
      'not the address of a host',
    );
  });

  it("cannot have a member at its host's addresses", () => {
    const own = new Set(['192.0.2.7', '2001:db8::7']);
    expect(whyOwn('192.0.2.7', own)).toBe('it is an address of the host itself');
    expect(whyOwn('::ffff:192.0.2.7', own)).toBe('it is an address of the host itself');
    expect(whyOwn('192.0.2.8', own)).toBeUndefined();
    for (const { address } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
      if (!address.startsWith('fe80')) expect(ownAddresses()).toContain(address);
  });

  it('cannot have a member that is monitored there', () => {
    expect(() => refuseMemberAddresses(ON_HOST, HELD, ['203.0.113.7', '127.0.0.1'])).toThrow();
  });

  it('may have any other member, and these too if the setting allows it', () => {
    refuseMemberAddresses(ON_HOST, HELD, ['203.0.113.7', '2001:db8::1', null, undefined]);
    refuseMemberAddresses(ON_HOST, { loopbackMembers: true }, [...LOOPBACK, ...NO_HOST]);
  });
});

describe('any load balancer', () => {
  it.each(['169.254.169.254', '::ffff:169.254.169.254', 'fe80::a9fe:a9fe'])(
    'cannot have a member at %s',
    (address) => {
      for (const one of [ON_HOST, IN_NAMESPACE])
        expect(() => refuseMemberAddresses(one, { loopbackMembers: true }, [address])).toThrow(
          'it is a link-local address',
        );
    },
  );

  it('may have members at any address in its own namespace', () => {
    refuseMemberAddresses(
      IN_NAMESPACE,
      HELD,
      ['127.0.0.1', '10.0.0.7', ...ownAddresses()].filter((one) => !one.startsWith('fe80')),
    );
  });
});
