import { setting, type Setting, type SettingOptions } from './settings.js';

const BYTES = '32 bytes as 64 hexadecimal digits or in base64';

/** 32 bytes; both notations are normalised, so one key has one form. */
export function secretKey(env: string, options: SettingOptions<string>): Setting<string> {
  const secret = { ...options, secret: true, example: '0'.repeat(64) };
  return setting(env, BYTES, secret, normalised);
}

/** Several such keys, separated by commas. */
export function secretKeys(
  env: string,
  options: SettingOptions<readonly string[]>,
): Setting<readonly string[]> {
  const secret = { ...options, secret: true, example: '0'.repeat(64) };
  return setting(env, `keys of ${BYTES}, separated by commas`, secret, (value) => {
    const keys = value.split(',').map((one) => normalised(one.trim()));
    return keys.every((one) => one !== undefined) ? keys : undefined;
  });
}

function normalised(value: string): string | undefined {
  const hex = /^[0-9a-f]{64}$/i.test(value);
  const base64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(value);
  return hex || base64 ? Buffer.from(value, hex ? 'hex' : 'base64').toString('hex') : undefined;
}
