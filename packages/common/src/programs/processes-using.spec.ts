import { expect, it } from '@jest/globals';
import { programNamed } from './processes-using.js';

it.each([
  ['postgres', ['/opt/postgres', '-D', '/data'], 'postgres'],
  ['bash', ['bash', '/tmp/postgres'], 'bash'],
  [
    'ld-linux-x86-64',
    [
      '/ovn/ld-linux-x86-64.so.2',
      '--library-path',
      '/ovn/lib',
      '/ovn/sbin/ovs-vswitchd',
      'unix:db',
    ],
    'ovs-vswitchd',
  ],
  ['ld-linux-x86-64', [], 'ld-linux-x86-64'],
])('a process %s of %p is one of the program %s', (name, argv, program) => {
  expect(programNamed(name, argv)).toBe(program);
});
