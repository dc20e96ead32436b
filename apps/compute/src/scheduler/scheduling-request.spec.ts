import { describe, expect, it } from '@jest/globals';
import { hintsOf } from './scheduling-request.js';

const ID = '0b3c0b9e-6f0e-4b7e-9d2c-2f9c3a1f5a10';

describe('hintsOf', () => {
  it('reads one or several servers alike', () => {
    expect(hintsOf({ same_host: ID, different_host: [ID, ID] })).toEqual({
      sameHost: [ID],
      differentHost: [ID, ID],
    });
  });

  it('reads a group, a query as clients send it, and a near address', () => {
    const query = '[">=", "$free_ram_mb", 1024]';
    const near = { build_near_host_ip: '192.0.2.1', cidr: '/28' };
    expect(hintsOf({ group: ID, query, ...near, own: { any: 1 } })).toEqual({
      group: ID,
      query: ['>=', '$free_ram_mb', 1024],
      near: '192.0.2.1/28',
      sameHost: [],
      differentHost: [],
    });
    expect(hintsOf({ build_near_host_ip: '2001:db8::1' })).toMatchObject({
      near: '2001:db8::1/24',
    });
  });

  it.each([
    [{ group: 'web' }, 'os:scheduler_hints.group must be a UUID'],
    [{ group: [ID, ID] }, 'os:scheduler_hints.group must be one UUID'],
    [{ same_host: 'x' }, 'os:scheduler_hints.same_host must be a UUID, or a list of them'],
    [{ different_host: [1] }, 'os:scheduler_hints.different_host must be a UUID, or a list'],
    [{ query: '[' }, 'os:scheduler_hints.query must be JSON'],
    [{ query: '["~"]' }, 'os:scheduler_hints.query must begin with one of'],
    [{ query: 7 }, 'os:scheduler_hints.query must be a list'],
    [{ build_near_host_ip: 'here' }, 'os:scheduler_hints.build_near_host_ip must be an IP address'],
    [{ cidr: '24' }, 'os:scheduler_hints.cidr must be a prefix length after a slash'],
    [
      { build_near_host_ip: '192.0.2.1', cidr: '/33' },
      'os:scheduler_hints.cidr is too long for an address of IPv4',
    ],
    [{ own: 'a\0b' }, 'os:scheduler_hints must hold neither a null character'],
    [{ own: '\ud800' }, 'os:scheduler_hints must hold neither a null character'],
  ])('refuses %j', (given, message) => {
    expect(() => hintsOf(given)).toThrow(message);
  });
});
