import { expect, it } from '@jest/globals';
import { swapHeader } from './local-disks.js';

it('is as mkswap writes it', () => {
  const page = swapHeader(64 * 1024 ** 2, '0f0f0f0f-0000-4000-8000-000000000001');
  expect(page).toHaveLength(4096);
  expect(page.subarray(4086).toString()).toBe('SWAPSPACE2');
  expect([page.readUInt32LE(1024), page.readUInt32LE(1028)]).toEqual([1, 16_383]);
  expect(page.subarray(1036, 1052).toString('hex')).toBe('0f0f0f0f000040008000000000000001');
});
