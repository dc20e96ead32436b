/** Slots are locked by the kernel, through flock(1). */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { takeSlot } from './slots.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-slots-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('slots', () => {
  it('are taken from the lowest, first those with data', async () => {
    await mkdir(join(folder, '3', 'compute'), { recursive: true });
    const slots = [];
    for (const holder of ['a', 'b', 'c']) slots.push(await takeSlot(folder, undefined, holder));
    expect(slots.map(({ number }) => number)).toEqual([3, 1, 2]);
    for (const { lock } of slots) lock.release();
  });

  it('are never shared', async () => {
    const slot = await takeSlot(folder, 2, 'the first');
    await expect(takeSlot(folder, 2, 'the second')).rejects.toThrow(
      `Slot 2 of ${folder} is taken by another host (the first)`,
    );
    slot.lock.release();
    const next = await takeSlot(folder, 2, 'the second');
    next.lock.release();
  });
});
