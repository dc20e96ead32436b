import { expect, it } from '@jest/globals';
import { hostnameOf } from './new-server.js';

it.each([
  ['web-1', 'web-1'],
  ['My Web_Server', 'my-web-server'],
  ['Größe', 'groe'],
  ['a.b', 'a.b'],
  ['a....b', 'a.b'],
  ['a-.-.-b', 'a.b'],
  ['-._web_.-', 'web'],
  ['x'.repeat(100), 'x'.repeat(63)],
  [`${'x'.repeat(62)}.y`, 'x'.repeat(62)],
  ['日本', 'server-7'],
  ['...', 'server-7'],
])('the host name of %s is %s', (name, expected) => {
  expect(hostnameOf(name, '7')).toBe(expected);
});
