import { describe, expect, it } from '@jest/globals';
import { findAccelerator, groupThatOpens, judgeAccelerator } from './accelerator.js';

function cpuinfo(flags: string): string {
  return `processor\t: 0\nflags\t\t: ${flags}\nbugs\t\t: spectre_v1\n`;
}

describe('judgeAccelerator', () => {
  it.each(['vmx', 'svm'])('uses KVM if the CPU has %s and the device opens', (flag) => {
    expect(judgeAccelerator(cpuinfo(`fpu ${flag} sse`), true).name).toBe('kvm');
  });

  it('does not trust a device that opens on a CPU without virtualisation', () => {
    expect(judgeAccelerator(cpuinfo('fpu svm_lock vmx_like'), true)).toEqual({
      name: 'tcg',
      why: 'the CPU flags hold neither vmx nor svm',
    });
  });

  it('says that the device cannot be opened', () => {
    expect(judgeAccelerator(cpuinfo('svm'), false)).toEqual({
      name: 'tcg',
      why: 'the CPU has svm, but /dev/kvm cannot be opened',
    });
  });

  it('uses TCG on processors without a flags line', () => {
    expect(judgeAccelerator('Features\t: fp asimd', true).name).toBe('tcg');
  });
});

describe('groupThatOpens', () => {
  const KVM_GROUP = 108;
  const guest = { uid: 1000, gid: 1000 };
  const device = (mode: number, gid = KVM_GROUP): Parameters<typeof groupThatOpens>[0] => ({
    mode: 0o020_000 | mode,
    uid: 0,
    gid,
  });

  it.each([
    ['the group of the device', device(0o660), KVM_GROUP],
    ['its own where everybody may', device(0o666), 1000],
    ['its own where that is the group of the device', device(0o660, 1000), 1000],
    ['no group where only root may', device(0o600), undefined],
    ['never the group of root', device(0o660, 0), undefined],
    ['no group that may only read', device(0o640), undefined],
  ])('gives a guest %s', (_, kvm, expected) => {
    expect(groupThatOpens(kvm, guest)).toBe(expected);
  });
});

it('uses TCG if the settings say so', async () => {
  expect((await findAccelerator('tcg', undefined)).name).toBe('tcg');
});
