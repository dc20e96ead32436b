import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { forAllOf, storableText } from '@cumulet/testing/hostile-texts';
import { constantsIn, tokensOf } from './ovn-lexer.fixture.js';
import { dhcpValue, dhcpValues, ownOption } from './ovn-dhcp.js';

/**
 * The action that ovn-northd generates. Public source: ovn, `build_dhcpv4_action` in
 * `northd/northd.c`.
 */
const actionOf = (name: string, value: string): string =>
  `reg0[3] = put_dhcp_opts(offerip = 10.0.0.5, ${name} = ${value}, netmask = 255.255.255.0); next;`;

const before = tokensOf('reg0[3] = put_dhcp_opts(offerip = 10.0.0.5, ');
const after = tokensOf(', netmask = 255.255.255.0); next;');

const version = fc.constantFrom(4 as const, 4 as const, 4 as const, 6 as const);
const TEXTS = ['bootfile-name', 'wpad', '15'];
const OTHERS = [
  'domain-search',
  '24',
  'tftp-server',
  'mtu',
  'router',
  'dns-server',
  'classless-static-route',
  '249',
  'server-id',
  'T1',
  'ip-forward-enable',
  '__proto__',
  'constructor',
];
const name = fc.oneof(fc.constantFrom(...TEXTS), fc.constantFrom(...OTHERS), storableText);
const value = fc.oneof(
  storableText,
  storableText.map((text) => `10.0.0.1${text}`),
  storableText.map((text) => `{10.0.0.1, ${text}}`),
  storableText.map((text) => `"${text}"`),
  storableText.map((text) => text.repeat(40)),
);

describe('a DHCP option that a client chose', () => {
  it('is a single constant of the action, or is refused or left out', () => {
    let written = 0;
    forAllOf(fc.tuple(version, name, value), ([ip, called, text]) => {
      const option = ownOption(ip, called, text);
      if (!option || 'fault' in option || option.value === null) return;
      written += 1;
      const tokens = tokensOf(actionOf(option.name, option.value));
      expect(tokens.slice(0, before.length)).toEqual(before);
      expect(tokens.slice(-after.length)).toEqual(after);
      const own = tokens.slice(before.length, -after.length);
      expect(own.slice(0, 2)).toEqual([
        { type: 'id', text: option.name },
        { type: '=', text: '=' },
      ]);
      const constants = constantsIn(own.slice(2));
      if (['bootfile_name', 'domain_name', 'wpad'].includes(option.name))
        expect(constants).toEqual([{ type: 'string', text: text.replace(/^"(.*)"$/s, '$1') }]);
    });
    expect(written).toBeGreaterThan(1_000);
  });

  it.each([
    [
      'bootfile-name',
      'a"); eth.src = 00:00:00:00:00:01; output; ("',
      String.raw`"a\"); eth.src = 00:00:00:00:00:01; output; (\""`,
    ],
    ['bootfile-name', '"quoted"', '"quoted"'],
    ['bootfile-name', String.raw`C:\boot`, String.raw`"C:\\boot"`],
    ['domain-search', 'a.example,b.example.', '"a.example,b.example"'],
    ['mtu', '1300', '1300'],
    ['26', '01300', '1300'],
    ['dns-server', '192.0.2.1', '192.0.2.1'],
    ['dns-server', '{192.0.2.1,192.0.2.2}', '{192.0.2.1, 192.0.2.2}'],
    ['dns-server', '192.0.2.1, 192.0.2.2', '{192.0.2.1, 192.0.2.2}'],
    ['ip-forward-enable', '1', '1'],
    ['classless-static-route', '{192.0.2.7/24,10.0.0.1}', '{192.0.2.0/24,10.0.0.1}'],
    [
      'classless-static-route',
      '0.0.0.0/0,10.0.0.1, 192.0.2.1,10.0.0.2',
      '{0.0.0.0/0,10.0.0.1, 192.0.2.1/32,10.0.0.2}',
    ],
  ])('%s %s is %s', (called, text, written) => {
    expect(ownOption(4, called, text)).toMatchObject({ value: written });
  });

  it.each([
    [4, 'mtu', '1300); output; ', 'takes an integer from 0 to 65535'],
    [4, 'mtu', '65536', 'takes an integer'],
    [4, 'mtu', '', 'takes an integer'],
    [4, 'T1', '0x10', 'takes an integer'],
    [4, 'router', 'fe80::1', 'IPv4'],
    [4, 'dns-server', '192.0.2.1,', 'IPv4'],
    [4, 'server-id', '192.0.2.1,192.0.2.2', 'takes an IPv4 address'],
    [4, 'ip-forward-enable', 'true', 'takes 0 or 1'],
    [4, 'bootfile-name', 'a\nb', 'control characters'],
    [4, 'bootfile-name', 'a\u2028b', 'control characters'],
    [4, 'bootfile-name', 'ä'.repeat(128), 'bytes'],
    [4, 'domain-search', 'a..b', 'domain names'],
    [4, 'domain-search', 'a b', 'domain names'],
    [4, 'classless-static-route', '192.0.2.0/24', 'pairs'],
    [4, 'classless-static-route', '192.0.2.0/33,10.0.0.1', 'pairs'],
    [6, 'server-id', '10.0.0.1', 'MAC'],
    [6, 'dns-server', '192.0.2.1', 'IPv6'],
  ] as const)('refuses the IPv%s option %s with %j, and says why', (ip, called, text, why) => {
    expect(ownOption(ip, called, text)).toMatchObject({
      fault: expect.stringContaining(why) as unknown,
    });
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'server_mac', 'colour', ''])(
    'is not applied if OVN does not know it: %j',
    (called) => {
      for (const ip of [4, 6] as const) {
        expect(ownOption(ip, called, '1')).toBeUndefined();
        expect(Object.keys(dhcpValues(ip, { [called]: '1' }))).toEqual([]);
      }
    },
  );

  it('is left out if it may be blank and is', () => {
    expect(ownOption(4, 'router', '')).toEqual({ name: 'router', value: null });
    expect(ownOption(4, '121', '')).toEqual({ name: 'classless_static_route', value: null });
    expect(ownOption(4, 'dns-server', '')).toHaveProperty('fault');
  });
});

it('a subnet leaves out invalid values of options', () => {
  const told = { mtu: '1500', router: undefined, dns_server: 'x); drop;', domain_name: 'a"b' };
  expect(dhcpValues(4, told)).toEqual({ mtu: '1500', domain_name: String.raw`"a\"b"` });
  expect(dhcpValue(6, 'domain_search', 'a"b')).toBeUndefined();
});
