import { describe, expect, it } from '@jest/globals';
import { cpuOf, freeGb, hostAddress, uptimeText } from './host-facts.js';

const CPU_INFO = `processor\t: 0
vendor_id\t: GenuineIntel
model name\t: Intel(R) Xeon(R)
physical id\t: 0
cpu cores\t: 2
flags\t\t: fpu vme sse2

processor\t: 1
vendor_id\t: GenuineIntel
model name\t: Intel(R) Xeon(R)
physical id\t: 1
cpu cores\t: 2
flags\t\t: fpu vme sse2
`;

describe('cpuOf', () => {
  it("reads Linux's description of the processor", () => {
    expect(cpuOf(CPU_INFO)).toMatchObject({
      vendor: 'GenuineIntel',
      model: 'Intel(R) Xeon(R)',
      features: ['fpu', 'vme', 'sse2'],
      topology: { sockets: 2, cores: 2 },
    });
  });

  it('has defaults without it', () => {
    expect(cpuOf('')).toMatchObject({ features: [], topology: { sockets: 1 } });
  });
});

describe('hostAddress', () => {
  it('is the first that is not the loopback', () => {
    const one = { netmask: '', mac: '', cidr: null };
    const of = (address: string, internal: boolean) =>
      ({ ...one, address, internal, family: 'IPv4' }) as const;
    expect(hostAddress({ lo: [of('127.0.0.1', true)], eth0: [of('192.0.2.7', false)] })).toBe(
      '192.0.2.7',
    );
    expect(hostAddress({ lo: [of('127.0.0.1', true)] })).toBe('127.0.0.1');
  });
});

describe('uptimeText', () => {
  it.each([
    [59, ' 0:00'],
    [3 * 3600 + 4 * 60, ' 3:04'],
    [86_400 + 60, '1 day,  0:01'],
    [2 * 86_400 + 11 * 3600, '2 days, 11:00'],
  ])('is as uptime prints it: %i s', (seconds, up) => {
    const now = new Date('2026-01-31T12:00:00Z');
    expect(uptimeText(now, seconds, [0.1, 2, 0.333])).toBe(
      ` 12:00:00 up ${up},  0 users,  load average: 0.10, 2.00, 0.33`,
    );
  });
});

it('a missing folder has no room', async () => {
  expect(await freeGb('/nowhere/at/all')).toBe(0);
  expect(await freeGb('/')).toBeGreaterThanOrEqual(0);
});
