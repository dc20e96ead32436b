import { describe, expect, it } from '@jest/globals';
import type { ProcessFacts } from '@cumulet/common/programs/own-users';
import { judgeGuestUsers } from './guest-users.js';

const ALL_IDS = '         0          0 4294967295\n';
const ALL_CAPABILITIES = '000001ffffffffff';
/** Docker's default capabilities. */
const IN_A_CONTAINER = '00000000a80425fb';

const ID = '0f0f0f0f-0000-4000-8000-000000000001';
const OTHER_ID = '0f0f0f0f-0000-4000-8000-000000000002';

function process({ uid = 0, capabilities = ALL_CAPABILITIES, ids = ALL_IDS } = {}): ProcessFacts {
  const status = `Name:\tnode\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\nCapEff:\t${capabilities}\n`;
  return { status, uidMap: ids, gidMap: ids };
}

const LIBVIRT = { name: 'libvirt-qemu', uid: 64055, gid: 108 };

describe('judgeGuestUsers', () => {
  it.each([ALL_CAPABILITIES, IN_A_CONTAINER])(
    "gives each of root's guests a user of its own, the same each time (capabilities %s)",
    (capabilities) => {
      const { of, described } = judgeGuestUsers(process({ capabilities }));
      const account = of(ID);
      expect(account?.uid).toBeGreaterThanOrEqual(0x7000_0000);
      expect(account?.uid).toBeLessThanOrEqual(0x7fff_ffff);
      expect(account?.gid).toBe(account?.uid);
      expect(of(ID)).toEqual(account);
      expect(of(OTHER_ID)).not.toEqual(account);
      expect(described).toBe('each guest runs as a user of its own');
    },
  );

  it('runs guests as itself if it is not root', () => {
    const { of, described } = judgeGuestUsers(process({ uid: 1000, capabilities: '0' }));
    expect(of(ID)).toBeUndefined();
    expect(described).toBe('guests run as this user (uid 1000)');
  });

  it('runs them as nobody if the user namespace has few ids', () => {
    const { of, described } = judgeGuestUsers(process({ ids: '0 100000 65536\n' }));
    expect(of(ID)).toEqual({ uid: 65534, gid: 65534 });
    expect(described).toContain('nobody');
  });

  it.each([
    ['a namespace of root alone', process({ ids: '0 1000 1\n' }), 'no other user'],
    ['a root that may not change users', process({ capabilities: '3f' }), 'without CAP_SETGID'],
    ['a root without any rights', process({ capabilities: '0' }), 'without CAP_CHOWN'],
  ])('says why they run as root in %s', (_, facts, why) => {
    const { of, described } = judgeGuestUsers(facts);
    expect(of(ID)).toBeUndefined();
    expect(described).toContain('guests run as root');
    expect(described).toContain(why);
  });

  it('runs all as the user of the settings', () => {
    const { of, described } = judgeGuestUsers(process(), LIBVIRT);
    expect(of(ID)).toEqual({ uid: 64055, gid: 108 });
    expect(of(OTHER_ID)).toEqual(of(ID));
    expect(described).toBe('guests run as the user libvirt-qemu');
  });

  it('does not change the user if it is the one of the settings', () => {
    expect(judgeGuestUsers(process({ uid: 64055 }), LIBVIRT).of(ID)).toBeUndefined();
  });

  it.each([
    [process(), { name: 'root', uid: 0, gid: 0 }, 'guests do not run as root'],
    [process({ uid: 1000 }), LIBVIRT, 'only root can run guests as another user'],
    [process({ capabilities: '3f' }), LIBVIRT, 'this root is without CAP_SETGID'],
  ])('refuses a user of the settings that it cannot run them as (%#)', (facts, named, why) => {
    expect(() => judgeGuestUsers(facts, named)).toThrow(
      expect.objectContaining({
        kind: 'not-ready',
        message: expect.stringContaining(`COMPUTE_QEMU_USER cannot be ${named.name}: ${why}`),
      }),
    );
  });
});
