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

describe('one line is all that is said of', () => {
  it.each([
    [
      'a folder of a setting',
      systemError('/etc/passwd/tmp'),
      "The folder /etc/passwd cannot be used: EEXIST: file already exists, mkdir '/etc/passwd/tmp'; choose another with IMAGES_IMPORT_FOLDER",
    ],
    [
      "what a service's error has as its cause",
      new HypervisorError('transient', 'It cannot be used (EEXIST).', systemError('/data/guests')),
      "The folder /data cannot be used: EEXIST: file already exists, mkdir '/data/guests'; choose another with COMPUTE_DATA_DIR",
    ],
    [
      'a folder that no setting names',
      systemError('/data-of-another'),
      "/data-of-another cannot be used: EEXIST: file already exists, mkdir '/data-of-another'",
    ],
    [
      'a file that cannot be given its name',
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

it('what says it in one line already stays', () => {
  const error = new StartupError('The log cannot be opened', { cause: systemError('/log') });
  expect(asStartupError(error, {}, SERVICES)).toBe(error);
});

it('a mistake of ours keeps its stack', () => {
  const error = new TypeError('x is not a function');
  expect(asStartupError(error, {}, SERVICES)).toBe(error);
});
