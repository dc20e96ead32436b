import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { HypervisorError } from '@cumulet/compute/hypervisor/hypervisor-error';
import { SERVICES } from './services.js';
import { asStartupError, StartupError } from './startup-error.js';

/** As Node throws it. */
function systemError(path: string, dest?: string): Error {
  const fields = { code: 'EEXIST', syscall: 'mkdir', path, ...(dest && { dest }) };
  return Object.assign(new Error(`EEXIST: file already exists, mkdir '${path}'`), fields);
}

describe('a single line reports', () => {
  it.each([
    [
      'a folder from a setting',
      systemError('/etc/passwd/tmp'),
      "The folder /etc/passwd cannot be used: EEXIST: file already exists, mkdir '/etc/passwd/tmp'; choose another with IMAGES_IMPORT_FOLDER",
    ],
    [
      "the cause of a service's error",
      new HypervisorError('transient', 'It cannot be used (EEXIST).', systemError('/data/guests')),
      "The folder /data cannot be used: EEXIST: file already exists, mkdir '/data/guests'; choose another with COMPUTE_DATA_DIR",
    ],
    [
      'a folder that is not from a setting',
      systemError('/data-of-another'),
      "/data-of-another cannot be used: EEXIST: file already exists, mkdir '/data-of-another'",
    ],
    [
      'a file that cannot be renamed',
      systemError('/cloud/file.tmp', '/cloud/file'),
      "/cloud/file cannot be used: EEXIST: file already exists, mkdir '/cloud/file.tmp'",
    ],
    [
      'a store',
      new DomainError('unavailable', 'The store cannot be used:\nit is away\n'),
      'The store cannot be used: it is away',
    ],
    [
      'a hypervisor',
      new HypervisorError('missing-program', 'The QEMU driver cannot run.'),
      'The QEMU driver cannot run.',
    ],
  ])('%s', (_, error, line) => {
    const env = { IMAGES_IMPORT_FOLDER: '/etc/passwd', COMPUTE_DATA_DIR: '/data' };
    expect(asStartupError(error, env, SERVICES)).toEqual(new StartupError(line));
  });
});

it('an error that is already one line is unchanged', () => {
  const error = new StartupError('The log cannot be opened', { cause: systemError('/log') });
  expect(asStartupError(error, {}, SERVICES)).toBe(error);
});

it('a programming error keeps its stack trace', () => {
  const error = new TypeError('x is not a function');
  expect(asStartupError(error, {}, SERVICES)).toBe(error);
});
