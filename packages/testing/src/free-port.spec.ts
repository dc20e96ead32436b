import { expect, it } from '@jest/globals';
import { freePort } from './free-port.js';

it('a port is chosen once, though nobody listens on it yet', async () => {
  const ports = await Promise.all(Array.from({ length: 500 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
});
