import { describe, expect, it } from '@jest/globals';
import { transitionalStates } from '@cumulet/common/states/state-table';
import { IMAGE_ATTRIBUTES } from './image.attributes.js';
import { imageStatus } from './image-status.js';
import { imageStates, type ImageState } from './image.states.js';

describe('the states of an image', () => {
  it('map to statuses of the Image API', () => {
    expect(IMAGE_ATTRIBUTES.status.enum).toEqual(
      expect.arrayContaining((Object.keys(imageStates.states) as ImageState[]).map(imageStatus)),
    );
  });

  it('include six transient ones', () => {
    expect(transitionalStates(imageStates)).toEqual([
      'saving',
      'staging',
      'staged',
      'import_waiting',
      'importing',
      'pending_delete',
    ]);
  });
});
