import { describe, expect, it } from '@jest/globals';
import { expirationFault, FORMAT_CONSTRAINTS, parseIsoTime } from './format-constraints.js';

const GOOD: Readonly<Record<string, readonly string[]>> = {
  ip_addr: ['10.0.0.1', '::1', 'fe80::1'],
  mac_addr: ['fa:16:3e:00:00:01', 'fa-16-3e-0-0-1', 'fa16.3e00.0001', 'fa163e000001'],
  net_cidr: ['10.0.0.0/8', '10.0.0.1/8', 'fd00::/64'],
  ip_or_cidr: ['10.0.0.1', '10.0.0.0/8'],
  dns_name: ['', 'web', 'web.example.org', 'web.example.org.'],
  rel_dns_name: ['', 'web', 'web.example'],
  dns_domain: ['', 'example.org.'],
  iso_8601: ['2026-11-23', '2026-11-23T13:00Z', '20261123T130000+0100', '2026-02-28 01:02:03.5-05'],
  timezone: ['', 'Europe/Berlin', 'UTC'],
  cron_expression: [
    '',
    '* * * * *',
    '*/5 0-6,12 1 jan-mar mon',
    '0 0 l * 7',
    '@daily',
    '0 0 * * * 30',
  ],
  expiration: ['', '9999-01-01T00:00:00'],
  json_string: ['', '{}', '[1]'],
  test_constr: ['0', '1.5'],
};

const BAD: Readonly<Record<string, readonly string[]>> = {
  ip_addr: ['10.0.0', '10.0.0.256', 'fe80::1%eth0', ''],
  mac_addr: ['fa:16:3e:00:00', 'fa:16:3e:00:00:0g', ''],
  net_cidr: ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/255.0.0.0', '10/8', 'fd00::/129'],
  ip_or_cidr: ['10.0.0.0/40', 'ten'],
  dns_name: ['web..example', '-web', 'web_1', 'a'.repeat(64), 'example.123.', 'a.'.repeat(130)],
  rel_dns_name: ['web.example.org.', 'a'.repeat(253)],
  dns_domain: ['example.org'],
  iso_8601: ['', 'today', '2026-13-01', '2026-02-29', '2026-11-23T25:00', '2026-11-23T10:00:61Z'],
  timezone: ['Europe/Nowhere', '+01:00'],
  cron_expression: [
    '* * * *',
    '60 * * * *',
    '* * * * *  * *',
    '*/0 * * * *',
    '5-1 * * * *',
    'mon * * * *',
  ],
  expiration: ['2001-01-01T00:00:00', 'tomorrow'],
  json_string: ['{', 'a'],
  test_constr: ['soon', '-1'],
};

const listed = (table: typeof GOOD): [string, string][] =>
  Object.entries(table).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );

describe('constraints of formats', () => {
  it.each(listed(GOOD))('%s accepts %j', (name, value) => {
    expect(FORMAT_CONSTRAINTS[name]?.(value)).toBeUndefined();
  });

  it.each(listed(BAD))('%s refuses %j', (name, value) => {
    expect(FORMAT_CONSTRAINTS[name]?.(value)).toEqual(expect.any(String));
  });

  it('has examples for every constraint', () => {
    const all = Object.keys(FORMAT_CONSTRAINTS).sort();
    expect(Object.keys(GOOD).sort()).toEqual(all);
    expect(Object.keys(BAD).sort()).toEqual(all);
  });

  it('reads a time in its time zone', () => {
    const time = parseIsoTime('2026-11-23T00:30:00+01:00');
    expect(time?.toISOString()).toBe('2026-11-22T23:30:00.000Z');
  });

  it('accepts only expirations in the future', () => {
    const now = new Date('2026-11-23T00:00:00Z');
    expect(expirationFault('2026-11-23T00:00:00', now)).toContain('out of date');
    expect(expirationFault('2026-11-23T00:00:01', now)).toBeUndefined();
  });
});
