import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  boolean,
  choice,
  databaseUrl,
  integer,
  integers,
  loadSettings,
  optional,
  SettingError,
  text,
  url,
} from './settings.js';

const about = 'What it is for.';

describe('a setting', () => {
  it.each([
    ['text', text('X', { about }), 'as it is', 'as it is'],
    ['an integer', integer('X', { about, min: 0, max: 10 }), '10', 10],
    ['true', boolean('X', { about }), 'true', true],
    ['false', boolean('X', { about }), 'false', false],
    ['a choice', choice('X', ['a', 'b'], { about }), 'b', 'b'],
    ['a URL, less its slashes', url('X', { about }), 'https://host/path//', 'https://host/path'],
    ['a database', databaseUrl('X', { about }), 'postgres://u:p@h/d', 'postgres://u:p@h/d'],
  ])('reads %s', (_, setting, value, expected) => {
    expect(setting.read(value)).toBe(expected);
  });

  it.each([
    [
      integer('X', { about, min: 1, max: 10 }),
      '11',
      'X must be an integer from 1 to 10; "11" is not',
    ],
    [
      integer('X', { about, min: 1, max: 10 }),
      '1.5',
      'X must be an integer from 1 to 10; "1.5" is not',
    ],
    [boolean('X', { about }), 'yes', 'X must be true or false; "yes" is not'],
    [choice('X', ['a', 'b'], { about }), 'A', 'X must be one of a, b; "A" is not'],
    [url('X', { about }), 'host:80', 'X must be an http or https URL; "host:80" is not'],
  ])('refuses a bad value by its name (%#)', (setting, value, message) => {
    expect(() => setting.read(value)).toThrow(new SettingError(message));
  });

  it('never shows the value of a secret', () => {
    const secret = databaseUrl('DATABASE_URL', { about });
    expect(() => secret.read('mysql://root:hunter2@host/db')).toThrow(
      new SettingError('DATABASE_URL must be a postgres:// URL; its value is not'),
    );
  });

  it.each([undefined, ''])('without a value (%p) is its default', (value) => {
    expect(text('X', { about, default: 'standard' }).read(value)).toBe('standard');
  });

  it('without a value and a default shows its purpose', () => {
    expect(() => text('X', { about }).read(undefined)).toThrow(
      new SettingError('X is required: What it is for.'),
    );
  });

  it('may be optional', () => {
    const setting = optional(url('X', { about }));
    expect(setting.read('')).toBeUndefined();
    expect(setting.read('http://host')).toBe('http://host');
    expect(() => setting.read('host')).toThrow(SettingError);
  });
});

describe("a database's sslmode", () => {
  const at = (query: string): string => `postgres://u:p@h/d?${query}`;
  const read = (query: string): string => databaseUrl('DATABASE_URL', { about }).read(at(query));

  it.each(['require', 'verify-full'])('may be %s, as libpq means it', (mode) => {
    expect(read(`sslmode=${mode}`)).toBe(at(`sslmode=${mode}&uselibpqcompat=true`));
  });

  it.each([
    [
      'sslmode=prefer',
      'DATABASE_URL: its sslmode must be one of disable, require, verify-ca, verify-full',
    ],
    ['sslmode=verify-ca', 'DATABASE_URL: sslmode=verify-ca requires sslrootcert, the path of a CA'],
    [
      'sslmode=verify-full&sslrootcert=/missing/ca.pem',
      'DATABASE_URL, sslrootcert: the file /missing/ca.pem cannot be read (ENOENT)',
    ],
  ])('is refused by name: %s', (query, message) => {
    expect(() => read(query)).toThrow(new SettingError(message));
  });
});

describe('several integers', () => {
  const ports = integers('PORTS', { about, default: [80, 443], min: 1, max: 65_535 });

  it('are separated by commas', () => {
    expect(ports.read('8080, 8443')).toEqual([8080, 8443]);
    expect(ports.read(undefined)).toEqual([80, 443]);
    expect(ports.defaultText).toBe('80,443');
  });

  it.each(['80;443', '80,', '0', 'http'])('are not %p', (value) => {
    expect(() => ports.read(value)).toThrow(
      new SettingError(
        `PORTS must be integers from 1 to 65535, separated by commas; "${value}" is not`,
      ),
    );
  });
});

describe('loadSettings', () => {
  const settings = {
    port: integer('PORT', { about, default: 80, min: 1, max: 65_535 }),
    name: text('NAME', { about }),
  };

  it('reads each setting from its variable', () => {
    expect(loadSettings(settings, { PORT: '8080', NAME: 'n', OTHER: 'x' })).toEqual({
      port: 8080,
      name: 'n',
    });
  });

  it('names the variable that is missing', () => {
    expect(() => loadSettings(settings, {})).toThrow('NAME is required');
  });
});

describe('a secret in a file', () => {
  const settings = {
    password: text('PASSWORD', { about, secret: true }),
    key: optional(text('KEY', { about, secret: true })),
    name: text('NAME', { about, default: 'standard' }),
  };
  let folder: string;
  const path = (): string => join(folder, 'password');

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cumulet-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['hunter2', 'hunter2'],
    ['hunter2\n', 'hunter2'],
    ['hunter2\r\n', 'hunter2'],
    [' hunter2\n\n', ' hunter2\n'],
  ])('%j is %j', (content, value) => {
    writeFileSync(path(), content);
    const env = { PASSWORD: '', PASSWORD_FILE: path(), NAME_FILE: path() };
    expect(loadSettings(settings, env)).toEqual({
      password: value,
      key: undefined,
      name: 'standard',
    });
  });

  it('is refused beside its variable', () => {
    const env = { PASSWORD: 'hunter2', PASSWORD_FILE: path() };
    expect(() => loadSettings(settings, env)).toThrow(
      new SettingError('PASSWORD and PASSWORD_FILE are both set: a secret has one of them'),
    );
  });

  it.each(['', '\n'])('is refused if it holds only %j', (content) => {
    writeFileSync(path(), content);
    expect(() => loadSettings(settings, { PASSWORD_FILE: path() })).toThrow(
      new SettingError(`PASSWORD_FILE: the file ${path()} is empty`),
    );
  });

  it('is refused by its path if it cannot be read', () => {
    const missing = join(folder, 'missing');
    expect(() => loadSettings(settings, { PASSWORD: 'p', KEY_FILE: missing })).toThrow(
      new SettingError(`KEY_FILE: the file ${missing} cannot be read (ENOENT)`),
    );
  });

  it('is refused without its content if it is invalid', () => {
    writeFileSync(path(), 'mysql://root:hunter2@host/db');
    const database = { url: databaseUrl('DATABASE_URL', { about }) };
    expect(() => loadSettings(database, { DATABASE_URL_FILE: path() })).toThrow(
      new SettingError('DATABASE_URL must be a postgres:// URL; its value is not'),
    );
  });
});
