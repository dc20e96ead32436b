import { expect, it } from '@jest/globals';
import { ipAddress, tags } from './values.js';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
])('writes the address %s as %s', (given, written) => {
  expect(ipAddress.read(given)).toBe(written);
  expect(ipAddress.fromText(given)).toBe(written);
});

it.each(['192.0.2.256', '192.0.2.01', 'fe80::1%lo', 'localhost', '192.0.2.1:80', '', 7, null])(
  'refuses the address %j',
  (given) => {
    expect(() => ipAddress.read(given)).toThrow('is not a valid IP address');
  },
);

it('reads tags as a set, in one order', () => {
  expect(tags.read(['b', 'a', 'b', 'Z'])).toEqual(['Z', 'a', 'b']);
  expect(tags.read(null)).toEqual([]);
});
