import { isIP } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { forAllOf, storableText } from '@cumulet/testing/hostile-texts';
import * as text from './ovsdb-text.js';

const around = (...good: readonly string[]) =>
  fc.oneof(
    storableText,
    fc.constantFrom(...good),
    fc.tuple(fc.constantFrom(...good), storableText).map(([one, more]) => `${one}${more}`),
    fc.tuple(storableText, fc.constantFrom(...good)).map(([more, one]) => `${more}${one}`),
  );
const address = around('10.0.0.1', '2001:db8::1', '::');
const network = around('10.0.0.0/8', '2001:db8::/32', '10.0.0.1/24');
const mac = around('fa:16:3e:00:00:01', 'FA:16:3E:00:00:0A');

const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/;
const isNetwork = (value: string): boolean => {
  const [host = '', bits = '', ...rest] = value.split('/');
  return isIP(host) > 0 && /^\d{1,3}$/.test(bits) && rest.length === 0;
};

/** @returns undefined if the value is refused */
function unlessRefused<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof text.UnwritableValueError)) throw error;
    return undefined;
  }
}

describe('addresses in a row', () => {
  it('are items that a reader of the column separates again', () => {
    let written = 0;
    forAllOf(fc.tuple(mac, address, network), ([hardware, ip, cidr]) => {
      const own = unlessRefused(() => text.ofMac(hardware, [ip, cidr]));
      if (own === undefined) return;
      written += 1;
      const [first = '', second = '', third = '', ...rest] = own.split(' ');
      expect([MAC.test(first), isIP(second) > 0, rest]).toEqual([true, true, []]);
      expect(isIP(third) > 0 || isNetwork(third)).toBe(true);
    });
    expect(written).toBeGreaterThan(100);
  });

  it('with a prefix or a port have just one of them', () => {
    const port = fc.oneof(fc.integer({ min: -2, max: 70_000 }), fc.double());
    forAllOf(fc.tuple(address, network, port), ([ip, cidr, number]) => {
      const whole = unlessRefused(() => text.addressIn(ip, cidr));
      const alone = unlessRefused(() => text.network(cidr));
      const end = unlessRefused(() => text.endpoint(ip, number));
      const [, host = '', at = ''] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(end ?? '[::]:0') ?? [];
      const networks = [whole, alone].filter((one) => one !== undefined);
      if (isIP(host) === 0 || Number(at) > 65_535 || !networks.every(isNetwork))
        throw new Error(JSON.stringify({ whole, alone, end }));
    });
  });

  it('of balancers have all of their backends', () => {
    forAllOf(
      fc.tuple(address, fc.array(address, { maxLength: 3 }), around('a-port')),
      ([vip, ends, portId]) => {
        const all = unlessRefused(() =>
          text.vips([[text.endpoint(vip, 80), ends.map((one) => text.endpoint(one, 8080))]]),
        );
        const mapped = unlessRefused(() =>
          text.portMappings([{ address: vip, portId, checkedFrom: vip }]),
        );
        const isOf = ([key, value]: [string, string]): boolean =>
          /^[\d.]+:80$|^\[[0-9a-f:.]+\]:80$/.test(key) &&
          (value === '' ? [] : value.split(',')).length === ends.length;
        const isMapping = (value: string): boolean =>
          /^[\w.-]+:([\d.]+|\[[0-9a-f:.]+\])$/.test(value);
        if (!Object.entries(all ?? {}).every(isOf) || !Object.values(mapped ?? {}).every(isMapping))
          throw new Error(JSON.stringify({ all, mapped }));
      },
    );
  });
});

it('a list of hosts leaves out invalid names', () => {
  forAllOf(fc.array(around('host-1'), { maxLength: 4 }), (names) => {
    const written = text.hosts(names);
    const kept = names.filter((one) => one !== '' && !/[\s,]/.test(one));
    expect(written === undefined ? [] : written.split(',')).toEqual(kept);
  });
});

it('settings of a host are pairs, and other values are refused', () => {
  forAllOf(fc.array(fc.tuple(around('public'), around('br-1')), { maxLength: 3 }), (pairs) => {
    const written = unlessRefused(() => text.settings(pairs, ':'));
    if (written === undefined || written === '') return;
    expect(written.split(',').map((one) => one.split(':'))).toEqual(pairs);
  });
});

it('a number is a single one', () => {
  expect(text.numeral(5)).toBe('5');
  for (const odd of [1.5, NaN, Infinity, 2 ** 60])
    expect(() => text.numeral(odd)).toThrow(text.UnwritableValueError);
});
