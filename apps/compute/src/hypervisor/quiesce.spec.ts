import { expect, it } from '@jest/globals';
import { STANDARD_HARDWARE } from './ports/guest-hardware.js';
import type { GuestState } from './hypervisor-driver.js';
import { freezeOf } from './quiesce.js';

const freeze = (guestAgent: boolean, requiresQuiesce: boolean, state: GuestState): string =>
  freezeOf({ ...STANDARD_HARDWARE, guestAgent, requiresQuiesce }, state);

it.each([
  [true, true, 'running', 'must'],
  [true, false, 'running', 'try'],
  [true, false, 'paused', 'no'],
  [true, true, 'shutdown', 'no'],
  [false, true, 'absent', 'no'],
  [false, false, 'running', 'no'],
] as const)('with an agent: %s, required: %s, while %s: %s', (agent, required, state, expected) => {
  expect(freeze(agent, required, state)).toBe(expected);
});

it.each([
  [false, 'running'],
  [false, 'paused'],
  [true, 'paused'],
] as const)('what is required is not left out: with an agent: %s, while %s', (agent, state) => {
  expect(() => freeze(agent, true, state)).toThrow('os_require_quiesce');
});
