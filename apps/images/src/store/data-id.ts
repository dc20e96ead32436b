import { randomUUID } from 'node:crypto';
import { asId } from '@cumulet/common/context/ids';
import type { DataId } from '../images/image.entity.js';

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function newDataId(): DataId {
  return asId(randomUUID());
}

export function isDataId(value: string): value is DataId {
  return FORM.test(value);
}
