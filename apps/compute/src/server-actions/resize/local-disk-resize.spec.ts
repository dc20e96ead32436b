import { expect, it } from '@jest/globals';
import type { LocalDisk } from '../../hypervisor/ports/guest-spec.js';
import { resizedDisks } from './local-disk-resize.js';

const ephemeral = (sizeGb: number, place = 0): LocalDisk => ({
  sizeMb: sizeGb * 1024,
  format: 'ext4',
  label: `ephemeral${place}`,
});
const swap = (sizeMb: number): LocalDisk => ({ sizeMb, format: 'swap' });

/** Gigabytes of ephemeral disks, and megabytes of swap. */
function resized(
  localDisks: LocalDisk[],
  [formerGb, formerMb]: readonly [number, number],
  [ephemeralGb, swapMb]: readonly [number, number],
): unknown {
  const flavor = { id: '1', name: 'former', ephemeralGb: formerGb, swapMb: formerMb };
  return resizedDisks({ localDisks, flavor }, { ephemeralGb, swapMb }).map(
    ({ at, sizeMb, format }) => [at, sizeMb, format],
  );
}

it.each<[string, LocalDisk[], [number, number], [number, number], unknown]>([
  ['none has none', [], [0, 0], [0, 0], []],
  [
    'none gets them',
    [],
    [0, 0],
    [1, 8],
    [
      [0, 1024, 'ext4'],
      [1, 8, 'swap'],
    ],
  ],
  ['an ephemeral disk grows', [ephemeral(1)], [1, 0], [3, 0], [[0, 3072, 'ext4']]],
  ['one that had a part of the room stays', [ephemeral(1)], [2, 0], [3, 0], [[0, 1024, 'ext4']]],
  [
    'those that were parted stay',
    [ephemeral(1), ephemeral(1, 1)],
    [2, 0],
    [3, 0],
    [
      [0, 1024, 'ext4'],
      [1, 1024, 'ext4'],
    ],
  ],
  ['swap of the same size stays', [swap(8)], [0, 8], [0, 8], [[0, 8, 'swap']]],
  ['swap goes', [swap(8)], [0, 8], [0, 0], []],
  [
    'an ephemeral disk comes before the swap that stays',
    [swap(8)],
    [0, 8],
    [1, 8],
    [
      [1, 1024, 'ext4'],
      [0, 8, 'swap'],
    ],
  ],
  ['swap has a number of its own', [swap(8)], [0, 8], [0, 16], [[2, 16, 'swap']]],
])('%s', (_, disks, former, later, expected) => {
  expect(resized(disks, former, later)).toEqual(expected);
});

it('swap keeps its tag', () => {
  const flavor = { id: '1', name: 'former', ephemeralGb: 0, swapMb: 8 };
  const localDisks = [{ ...swap(8), tag: 'pages' }];
  expect(resizedDisks({ localDisks, flavor }, { ephemeralGb: 0, swapMb: 16 })).toMatchObject([
    { tag: 'pages' },
  ]);
});

it.each<[LocalDisk[], number]>([
  [[ephemeral(2)], 1],
  [[ephemeral(1), ephemeral(1, 1)], 1],
  [[], 1],
])('ephemeral disks of two gigabytes do not shrink to one: %j', (disks, gb) => {
  expect(() => resized(disks, [2, 0], [gb, 0])).toThrow('from 2 GB to 1 GB');
});

it('has at most seven', () => {
  const disks = [0, 1, 2, 3, 4, 5, 6].map((place) => ephemeral(1, place));
  expect(() => resized(disks, [7, 0], [7, 8])).toThrow('at most 7 local disks');
});
