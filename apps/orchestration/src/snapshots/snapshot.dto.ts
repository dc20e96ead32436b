/** Snapshots on the wire. Public source: Orchestration API reference, "Stack snapshots". */
import { StringField } from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';

@IgnoresOthers()
export class NewSnapshotDto {
  @StringField({ optional: true, nullable: true, min: 0, description: 'The name.' })
  name?: string | null;
}

const SnapshotView = answerClass('SnapshotView', {
  id: Shown(String, 'The ID.'),
  name: Shown(String, 'The name.', { nullable: true }),
  action: Shown(String, 'The action: CREATE.'),
  status: Shown(String, 'The status of the snapshot.', {
    enum: ['IN_PROGRESS', 'COMPLETE', 'FAILED'],
  }),
  status_reason: Shown(String, 'The reason for the status.', { nullable: true }),
  creation_time: Shown('date-time', 'When it was taken.'),
  data: Shown(Object, 'The stack as it was; null until it is complete.', { nullable: true }),
});

export const SnapshotCreated = SnapshotView;

export const SnapshotAnswer = shownUnder('snapshot', SnapshotView);

export const SnapshotList = allUnder('snapshots', SnapshotView, 'The snapshots, the oldest first.');
