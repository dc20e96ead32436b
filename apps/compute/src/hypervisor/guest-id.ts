import { HypervisorError } from './hypervisor-error.js';

const GUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `value` names a guest: a UUID in lower case with dashes. */
export function isGuestId(value: string): boolean {
  return GUEST_ID.test(value);
}

/** Throws `bug` for anything but a guest's id; it becomes part of a path. */
export function requireGuestId(value: string): void {
  if (!isGuestId(value)) throw new HypervisorError('bug', 'The id of a guest is malformed.');
}
