import { randomUUID } from 'node:crypto';
import { asId, type Id } from '@cumulet/common/context/ids';

/** A new identifier in Keystone's form: 32 hexadecimal digits. */
export function newId<T extends Id<string>>(): T {
  return asId(randomUUID().replaceAll('-', ''));
}
