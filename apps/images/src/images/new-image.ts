import { randomUUID } from 'node:crypto';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { initialState } from '@cumulet/common/states/transition';
import type { NewImage } from './image.dto.js';
import { Image, type ImageId } from './image.entity.js';
import { imageStates } from './image.states.js';

/** The row of an image that nothing has happened to yet. */
export function newImage(wanted: NewImage, owner: ProjectId): Image {
  const now = new Date();
  return Object.assign(new Image(), initialState(imageStates, now), {
    ...wanted,
    id: asId<ImageId>(wanted.id ?? randomUUID()),
    owner,
    tags: [...wanted.tags],
    properties: { ...wanted.properties },
    previousState: null,
    stateReason: null,
    generation: 1,
    dataId: null,
    uploadOwner: null,
    stagedDataId: null,
    stagedSize: null,
    virtualSize: null,
    scrubbedAt: null,
    announcedSize: null,
    size: null,
    checksum: null,
    hashValue: null,
    createdAt: now,
    updatedAt: now,
  });
}
