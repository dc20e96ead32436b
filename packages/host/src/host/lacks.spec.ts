import { describe, expect, it } from '@jest/globals';
import { lacksOf } from './lacks.js';

const ALL = { uid: 0, status: 'CapEff:\t000001ffffffffff\n', profile: '', tunError: undefined };

describe('a host', () => {
  it('with all privileges lacks nothing', () => {
    expect(lacksOf(ALL)).toEqual({});
  });

  it.each([
    [{ uid: 1000 }, 'it does not run as root'],
    // Docker's own set of capabilities.
    [
      { status: 'CapEff:\t00000000a80425fb\n' },
      'root lacks NET_ADMIN, SYS_PTRACE, SYS_ADMIN (--cap-add)',
    ],
    [{ tunError: 'ENOENT' }, 'there is no /dev/net/tun (--device /dev/net/tun)'],
    [{ tunError: 'EPERM' }, '/dev/net/tun cannot be opened, EPERM (--device /dev/net/tun)'],
    [
      { profile: 'docker-default (enforce)\n' },
      'AppArmor bars mounts (--security-opt apparmor=unconfined)',
    ],
  ])('says why no switch runs there: %j', (facts, reason) => {
    const network = `OVN cannot run on this host: ${reason}.`;
    expect(lacksOf({ ...ALL, ...facts })).toEqual({ network });
  });
});
