import { describe, expect, it } from '@jest/globals';
import { findAccelerator, judgeAccelerator } from './accelerator.js';

function cpuinfo(flags: string): string {
  return `processor\t: 0\nflags\t\t: ${flags}\nbugs\t\t: spectre_v1\n`;
}

describe('judgeAccelerator', () => {
  it.each(['vmx', 'svm'])('takes KVM where the CPU has %s and the device opens', (flag) => {
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

  it('takes TCG on processors that have no such flags line', () => {
    expect(judgeAccelerator('Features\t: fp asimd', true).name).toBe('tcg');
  });
});

it('takes TCG where the settings ask for it', async () => {
  expect((await findAccelerator('tcg')).name).toBe('tcg');
});
