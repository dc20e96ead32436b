/** The two uploads that there are: of an image's data, and of data that is to be imported. */
import type { ImageEvent, ImageState } from '../images/image.states.js';

export type UploadKind = 'data' | 'staged data';

interface UploadRow {
  /** The state of an image while it is received. */
  readonly state: ImageState;
  /** The column that names the object. */
  readonly column: 'data_id' | 'staged_data_id';
  readonly begin: ImageEvent;
  readonly progress: ImageEvent;
}

/** What each means for the image's row. */
export const UPLOADS: Readonly<Record<UploadKind, UploadRow>> = {
  data: { state: 'saving', column: 'data_id', begin: 'upload', progress: 'progress' },
  'staged data': {
    state: 'staging',
    column: 'staged_data_id',
    begin: 'stage',
    progress: 'stageProgress',
  },
};
