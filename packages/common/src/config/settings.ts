/**
 * Settings from the environment, each with a type, a default and a description, read once.
 *
 * Always holds: an invalid value fails the start and names its variable; the message never contains
 * a secret's value. Every secret can come from a file instead, whose path `NAME_FILE` holds.
 */

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

export interface Setting<T> {
  /** The environment variable. */
  readonly env: string;
  /** One sentence for docs/settings.md. */
  readonly about: string;
  /** The form of a value, for docs and messages: `integer 1..65535`. */
  readonly type: string;
  /** The default as documented; absent for a required setting. */
  readonly defaultText?: string;
  readonly secret?: boolean;
  /** A valid value, for tools and tests. */
  readonly example?: string;
  /** For a folder: its name in the standalone cloud's data folder. */
  readonly folder?: string;
  /** For a key that the standalone cloud generates and stores. */
  readonly isDrawn?: boolean;
  /** @throws Error describing the fault of `text`, without quoting secrets */
  read(text: string | undefined): T;
}

export type Settings = Readonly<Record<string, Setting<unknown>>>;
export type Values<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/** Names the variable with the invalid value. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

export interface SettingOptions<T> {
  readonly about: string;
  readonly default?: T;
  readonly secret?: boolean;
  readonly example?: string;
}

/** Required unless it has a default. @param parse returns undefined for invalid text */
export function setting<T>(
  env: string,
  type: string,
  options: SettingOptions<T>,
  parse: (text: string) => T | undefined,
): Setting<T> {
  return {
    env,
    type,
    about: options.about,
    ...(options.default === undefined ? {} : { defaultText: String(options.default) }),
    ...(options.secret === undefined ? {} : { secret: options.secret }),
    ...(options.example === undefined ? {} : { example: options.example }),
    read(text) {
      if (text === undefined || text === '') {
        if (options.default !== undefined) return options.default;
        throw new SettingError(`${env} is required: ${options.about}`);
      }
      const value = parse(text);
      if (value !== undefined) return value;
      const shown = options.secret ? 'its value' : JSON.stringify(text);
      throw new SettingError(`${env} must be ${type}; ${shown} is not`);
    },
  };
}

export function text(env: string, options: SettingOptions<string>): Setting<string> {
  return setting(env, 'text', { example: 'an example', ...options }, (value) => value);
}

/** A folder for the service's files. @param options.folder as in `Setting` */
export function folder(
  env: string,
  options: SettingOptions<string> & { readonly folder: string },
): Setting<string> {
  return { ...text(env, options), folder: options.folder };
}

/** Marks the setting of a key that can be generated, such as an encryption key. */
export function drawnKey<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, isDrawn: true };
}

export function integer(
  env: string,
  options: SettingOptions<number> & { readonly min: number; readonly max: number },
): Setting<number> {
  const { min, max } = options;
  return setting(env, `an integer from ${min} to ${max}`, options, (value) => {
    if (!/^-?\d+$/.test(value)) return undefined;
    const number = Number(value);
    return number >= min && number <= max ? number : undefined;
  });
}

/** Several integers, separated by commas. */
export function integers(
  env: string,
  options: SettingOptions<readonly number[]> & { readonly min: number; readonly max: number },
): Setting<readonly number[]> {
  const { min, max } = options;
  const type = `integers from ${min} to ${max}, separated by commas`;
  return setting(env, type, options, (value) => {
    const numbers = value.split(',').map((one) => (/^ *\d+ *$/.test(one) ? Number(one) : NaN));
    return numbers.every((number) => number >= min && number <= max) ? numbers : undefined;
  });
}

export function boolean(env: string, options: SettingOptions<boolean>): Setting<boolean> {
  return setting(env, 'true or false', options, (value) =>
    value === 'true' ? true : value === 'false' ? false : undefined,
  );
}

export function choice<const C extends string>(
  env: string,
  choices: readonly C[],
  options: SettingOptions<NoInfer<C>>,
): Setting<C> {
  return setting(env, `one of ${choices.join(', ')}`, options, (value) =>
    choices.find((one) => one === value),
  );
}

/** An HTTP or HTTPS URL; a trailing slash is dropped. */
export function url(env: string, options: SettingOptions<string>): Setting<string> {
  const example = 'http://127.0.0.1:1';
  return setting(env, 'an http or https URL', { example, ...options }, (value) =>
    /^https?:\/\//.test(value) && URL.canParse(value) ? value.replace(/\/+$/, '') : undefined,
  );
}

/**
 * A postgres:// URL, which is secret since it contains a password. Its `sslmode` means what libpq's
 * documentation says; modes that fall back to a plain connection are refused.
 */
export function databaseUrl(env: string, options: SettingOptions<string>): Setting<string> {
  const example = 'postgres://127.0.0.1:1/example';
  return setting(env, 'a postgres:// URL', { example, ...options, secret: true }, (value) =>
    /^postgres(ql)?:\/\//.test(value) && URL.canParse(value) ? withTls(env, value) : undefined,
  );
}

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

/**
 * Public source: PostgreSQL, "libpq - SSL Support". The driver reads the files anew for each
 * connection, so that they can be renewed.
 * @throws SettingError for a mode that is not supported, or a file that cannot be read
 */
function withTls(env: string, value: string): string {
  const { searchParams } = new URL(value);
  const mode = searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) {
    throw new SettingError(`${env}: its sslmode must be one of ${SSL_MODES.join(', ')}`);
  }
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const path = searchParams.get(name);
    if (path !== null) readNamedFile(`${env}, ${name}`, path);
  }
  if (mode === 'verify-ca' && !searchParams.has('sslrootcert')) {
    throw new SettingError(`${env}: sslmode=verify-ca requires sslrootcert, the path of a CA`);
  }
  // Without it, the driver takes every mode for verify-full.
  const isPlain = mode === null || searchParams.has('uselibpqcompat');
  return isPlain ? value : `${value}&uselibpqcompat=true`;
}

/** `10.0.0.0/8,192.168.1.7`: IP addresses and networks. */
export function networks(env: string, options: SettingOptions<string>): Setting<string> {
  const type = 'IP addresses or networks, separated by commas';
  return setting(env, type, { example: '10.0.0.0/8', ...options }, (value) =>
    value.split(',').every((one) => isNetwork(one.trim())) ? value : undefined,
  );
}

function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (bits < 0 || more.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
}

/** Makes a setting optional: `undefined` where the variable is unset or empty. */
export function optional<T>(inner: Setting<T>): Setting<T | undefined> {
  return {
    ...inner,
    defaultText: 'unset',
    read: (value) => (value === undefined || value === '' ? undefined : inner.read(value)),
  };
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws SettingError naming the first missing or invalid variable */
export function loadSettings<const S extends Settings>(settings: S, env: Environment): Values<S> {
  const values = Object.entries(settings).map(([key, one]) => [
    key,
    one.read(one.secret ? secretText(one.env, env) : env[one.env]),
  ]);
  return Object.fromEntries(values) as Values<S>;
}

/** The variable that holds the path of a secret's file: `IMAGES_DATABASE_URL_FILE`. */
export function fileVariable(name: string): string {
  return `${name}_FILE`;
}

/**
 * The value of a secret: that of its variable, or the content of its file less one newline at the end.
 * @returns undefined if neither is given
 * @throws SettingError if both are given, or the file cannot be read or is empty
 */
export function secretText(name: string, env: Environment): string | undefined {
  const variable = fileVariable(name);
  const path = env[variable];
  if (!path) return env[name];
  if (env[name]) {
    throw new SettingError(`${name} and ${variable} are both set: a secret has one of them`);
  }
  const text = readNamedFile(variable, path).replace(/\r?\n$/, '');
  if (text === '') throw new SettingError(`${variable}: the file ${path} is empty`);
  return text;
}

/**
 * @param variable that the path comes from
 * @throws SettingError naming the variable and the path
 */
export function readNamedFile(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new SettingError(`${variable}: the file ${path} cannot be read (${code})`);
  }
}

/** An environment in which all settings are valid. */
export function exampleEnvironment(settings: Settings): Readonly<Record<string, string>> {
  const required = Object.values(settings).filter(({ defaultText }) => defaultText === undefined);
  return Object.fromEntries(required.map(({ env, example = '' }) => [env, example]));
}
