/** Rows in any state, with the columns that the state requires. */
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { newDataId } from '@cumulet/storage/stores/byte-store';
import { newId } from '@cumulet/testing/test-tokens';
import { newImageOf } from './image.dto.js';
import type { Image, ImageId } from './image.entity.js';
import { ImageRepository } from './image.repository.js';
import type { ImageState } from './image.states.js';

const DATA = { size: 10, checksum: 'md5', hashValue: 'sha512' };

/** Columns that each state requires. */
const COLUMNS: Readonly<Record<ImageState, () => Partial<Image>>> = {
  queued: () => ({}),
  saving: () => ({ dataId: newDataId(), uploadOwner: 'upload:nobody', stateDeadline: later() }),
  staging: () => ({
    stagedDataId: newDataId(),
    uploadOwner: 'upload:nobody',
    stateDeadline: later(),
  }),
  staged: () => ({ stagedDataId: newDataId(), stagedSize: 10 }),
  import_waiting: () => ({
    stagedDataId: newDataId(),
    stagedSize: 10,
    stateDeadline: later(),
  }),
  importing: () => ({ stagedDataId: newDataId(), stagedSize: 10, stateDeadline: later() }),
  active: () => ({ dataId: newDataId(), ...DATA }),
  deactivated: () => ({ dataId: newDataId(), ...DATA }),
  killed: () => ({ dataId: newDataId(), ...DATA, stateReason: 'Its bytes have changed.' }),
  pending_delete: () => ({ dataId: newDataId() }),
};

export const IMAGE_STATES = Object.keys(COLUMNS) as ImageState[];

/** Inserts an image of a new project. */
export function insertImage(ctx: RequestContext, values: Partial<Image> = {}): Promise<Image> {
  const { state = 'queued' } = values;
  const image = { ...newImageOf({ name: 'one' }), id: asId<ImageId>(newId()) };
  const owner = asId<ProjectId>(newId());
  const row = { ...image, owner, state, ...COLUMNS[state](), ...values };
  return new ImageRepository().insert(ctx, row);
}

function later(): Date {
  return new Date(Date.now() + 60_000);
}
