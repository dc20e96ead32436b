/**
 * Nova's words for how far a snapshot is.
 * Public source: nova, `compute/manager.py`, _snapshot_instance and _shelve_instance, and
 * `virt/libvirt/driver.py`, snapshot.
 */
import type { Condition } from '@cumulet/common/tables/condition';
import { SNAPSHOT_STEPS, type Snapshot, type SnapshotStep } from './snapshot.js';

type Kind = 'image' | 'backup' | 'shelved';

const COPIED = { copying: 'image_pending_upload', uploading: 'image_uploading' };

const TASKS: Readonly<Record<Kind, Readonly<Record<SnapshotStep, string>>>> = {
  image: { pending: 'image_snapshot_pending', begun: 'image_snapshot', ...COPIED },
  backup: { pending: 'image_backup', begun: 'image_backup', ...COPIED },
  shelved: {
    pending: 'shelving',
    begun: 'shelving',
    copying: 'shelving_image_pending_upload',
    uploading: 'shelving_image_uploading',
  },
};

export function snapshotTaskOf({ isShelved, backup, step = 'pending' }: Snapshot): string {
  const kind = isShelved ? 'shelved' : backup === undefined ? 'image' : 'backup';
  return TASKS[kind][step];
}

/** As `kind step`; a server in a state of a snapshot has one. */
const KIND_AND_STEP = (snapshot: string): string =>
  `CASE WHEN (${snapshot}->>'isShelved')::boolean THEN 'shelved'
        WHEN ${snapshot}->'backup' IS NULL THEN 'image' ELSE 'backup' END
   || ' ' || coalesce(${snapshot}->>'step', 'pending')`;

/** The snapshots of which it is said. */
export function snapshotDoes(task: string): Condition {
  const kinds = Object.entries(TASKS) as [Kind, (typeof TASKS)[Kind]][];
  const found = kinds.flatMap(([kind, tasks]) =>
    SNAPSHOT_STEPS.filter((step) => tasks[step] === task).map((step) => `${kind} ${step}`),
  );
  return (bind, column) => `(${KIND_AND_STEP(column('snapshot'))}) = ANY(${bind(found)})`;
}
