import { randomUUID } from 'node:crypto';
import { asId } from '@cumulet/common/context/ids';
import type { ContentId } from '../objects/object.entity.js';

export function newContentId(): ContentId {
  return asId(randomUUID());
}
