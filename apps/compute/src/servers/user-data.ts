/** User data: base64 of at most 65535 bytes encoded (Nova API reference, "Create Server"). */
const LONGEST = 65_535;
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

export function isUserData(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > LONGEST || !BASE64.test(value)) return false;
  return value.replaceAll(/\s/g, '').length % 4 === 0;
}
