import { optional, setting, type Setting, type SettingOptions } from './settings.js';

const BYTES = '32 bytes as 64 hexadecimal digits or in base64';

/** 32 bytes; both notations are normalised, so one key has one form. */
export function secretKey(env: string, options: SettingOptions<string>): Setting<string> {
  const secret = { ...options, secret: true, example: '0'.repeat(64) };
  return setting(env, BYTES, secret, normalised);
}

/** The other keys of a service, while `<prefix>_SECRET_KEY` is replaced. @param prefix `IMAGES` */
export function oldSecretKeys(prefix: string): Setting<readonly string[] | undefined> {
  return optional(
    secretKeys(`${prefix}_OLD_SECRET_KEYS`, { about: aboutOld(`${prefix}_SECRET_KEY`) }),
  );
}

/** The other values of a secret that is any text, while it is replaced. @param of its variable */
export function oldSecrets(
  env: string,
  { of }: { readonly of: string },
): Setting<readonly string[] | undefined> {
  const options = { about: aboutOld(of), secret: true, example: 'one,another' };
  return optional(
    setting(env, 'texts, separated by commas', options, (value) => {
      const texts = value.split(',').map((one) => one.trim());
      return texts.includes('') ? undefined : texts;
    }),
  );
}

function aboutOld(env: string): string {
  return `Former values of ${env} that are accepted, and its next value while a change begins: docs/keys.md has the order.`;
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
