import { expect, it } from '@jest/globals';
import { listeningAt } from './ovn-central.js';

it.each([
  ['192.0.2.1', '--remote=ptcp:6642:192.0.2.1'],
  ['2001:db8::1', '--remote=ptcp:6642:[2001:db8::1]'],
])('databases listen at %s', (address, argument) => {
  expect(listeningAt(address, 6642)).toBe(argument);
});
