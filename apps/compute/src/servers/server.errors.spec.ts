import { describe, expect, it } from '@jest/globals';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';
import { onHypervisor } from './server.errors.js';

describe('an error of the hypervisor', () => {
  it.each([
    ['bad-image', false],
    ['capacity', true],
    ['missing-program', true],
    ['not-ready', true],
  ] as const)('is of kind %s, and for the operator to see: %s', async (kind, forOperator) => {
    const failure = onHypervisor(Promise.reject(new HypervisorError(kind, 'It cannot.')));
    await expect(failure).rejects.toMatchObject({
      name: 'GuestImpossibleError',
      message: 'It cannot.',
      forOperator,
    });
  });
});
