import { describe, expect, it } from '@jest/globals';
import { GuestAlreadyStartedError, qemuStartFailure } from './qemu-start-failure.js';

describe('qemuStartFailure', () => {
  it('knows that another process was faster', () => {
    const stderr = 'qemu-system-x86_64: cannot create PID file: Cannot lock pid file: Busy\n';
    expect(qemuStartFailure(stderr)).toBeInstanceOf(GuestAlreadyStartedError);
  });

  it.each([
    ["cannot set up guest memory 'pc.ram': Cannot allocate memory", 'capacity'],
    ['Could not write: No space left on device', 'capacity'],
    ["could not load kernel '/data/images/k/data': Invalid ELF", 'bad-image'],
    ['Image is corrupt; cannot be opened read/write', 'bad-image'],
    ['Failed to get "write" lock', 'transient'],
    ["Could not open '/data/disk.qcow2': No such file or directory", 'not-ready'],
    ['cannot create PID file: Cannot open pid file: No such file or directory', 'not-ready'],
    ["-device nonsense: 'nonsense' is not a valid device model name", 'bug'],
    ['', 'transient'],
  ])('maps %j to %s', (line, kind) => {
    const stderr =
      line && `qemu-system-x86_64: warning: something else\nqemu-system-x86_64: ${line}\n`;
    expect(qemuStartFailure(stderr)).toMatchObject({ name: 'HypervisorError', kind });
  });

  it('shows no path of the host', () => {
    const stderr = '/opt/qemu-system-x86_64: /srv/cloud, one/guests/a/disk.qcow2: is a directory\n';
    const failure = qemuStartFailure(stderr);
    expect(failure.message).not.toContain('/');
    expect(failure.message).toMatch(/^QEMU did not start: .*is a directory\.$/);
    expect(failure.cause).toBe(stderr);
  });
});
