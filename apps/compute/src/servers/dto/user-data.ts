import { isBase64 } from './base64.js';

/** User data: base64 of at most 65535 bytes encoded (Nova API reference, "Create Server"). */
const LONGEST = 65_535;

export function isUserData(value: unknown): boolean {
  return isBase64(value) && value.length <= LONGEST;
}
