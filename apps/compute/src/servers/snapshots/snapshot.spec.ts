import { expect, it } from '@jest/globals';
import { type Snapshot, snapshotTaskOf } from './snapshot.js';

it.each([
  [{ isShelved: false }, 'image_snapshot_pending', 'image_snapshot'],
  [{ isShelved: false, backup: { type: 'daily', rotation: 1 } }, 'image_backup', 'image_backup'],
  [{ isShelved: true }, 'shelving', 'shelving'],
])('shows that %o is pending, and then in progress', (made, ...tasks) => {
  const snapshot = { ...made, image: {} } as Snapshot;
  const told = [snapshot, { ...snapshot, step: 'begun' as const }].map(snapshotTaskOf);
  expect(told).toEqual(tasks);
});
