import { describe, expect, it } from '@jest/globals';
import {
  cidrAround,
  contains,
  eui64,
  formatCidr,
  formatIp,
  overlap,
  parseCidr,
  parseIp,
  isLoopback,
} from './ip-address.js';

const ip = (text: string) => {
  const parsed = parseIp(text);
  if (!parsed) throw new Error(`${text} is no address`);
  return parsed;
};
const cidr = (text: string) => {
  const parsed = parseCidr(text);
  if (!parsed) throw new Error(`${text} is no CIDR`);
  return parsed;
};

describe('an IP address', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['255.255.255.255', '255.255.255.255'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['::', '::'],
    ['::1', '::1'],
    ['fe80::', 'fe80::'],
    ['::ffff:10.0.0.1', '::ffff:a00:1'],
  ])('is written in one way: %s', (text, canonical) => {
    expect(formatIp(ip(text))).toBe(canonical);
  });

  it.each([
    '',
    '10.0.0',
    '10.0.0.256',
    '010.0.0.1',
    'fe80::1%eth0',
    '1::2::3',
    'host',
    '10.0.0.1/8',
  ])('is not %p', (text) => {
    expect(parseIp(text)).toBeUndefined();
  });

  it('follows from a MAC in a /64', () => {
    expect(formatIp(eui64('fa:16:3e:00:00:01', cidr('2001:db8::/64')))).toBe(
      '2001:db8::f816:3eff:fe00:1',
    );
  });
});

describe('a CIDR', () => {
  it.each(['10.0.0.0/24', '0.0.0.0/0', '10.1.2.3/32', '2001:db8::/32', '::/0', '2001:db8::1/128'])(
    'is read and written: %s',
    (text) => {
      expect(formatCidr(cidr(text))).toBe(text);
    },
  );

  it.each(['10.0.0.1/24', '10.0.0.0/33', '10.0.0.0', '10.0.0.0/', '::1/64', '10.0.0.0/8/8'])(
    'is not %s',
    (text) => {
      expect(parseCidr(text)).toBeUndefined();
    },
  );

  it('contains its first and last address, and none outside', () => {
    const range = cidr('10.0.1.0/24');
    const inside = ['10.0.1.0', '10.0.1.255'].map((text) => contains(range, ip(text)));
    const beside = ['10.0.0.255', '10.0.2.0', '::a00:100'].map((text) => contains(range, ip(text)));
    expect([inside, beside]).toEqual([
      [true, true],
      [false, false, false],
    ]);
  });

  it('overlaps CIDRs that share an address', () => {
    expect(overlap(cidr('10.0.0.0/23'), cidr('10.0.1.0/24'))).toBe(true);
    expect(overlap(cidr('10.0.0.0/24'), cidr('10.0.1.0/24'))).toBe(false);
  });

  it('can be derived from an address', () => {
    expect(formatCidr(cidrAround(ip('10.1.2.3'), 12))).toBe('10.0.0.0/12');
  });
});

describe('loopback', () => {
  it.each(['127.0.0.1', '127.90.0.0/16', '127.0.0.0/8'])('contains %s', (text) => {
    expect(isLoopback(text)).toBe(true);
  });

  it.each(['128.0.0.1', '126.0.0.0/7', '0.0.0.0/0', '::1', '::ffff:7f00:1'])(
    'does not hold %s',
    (text) => {
      expect(isLoopback(text)).toBe(false);
    },
  );
});
