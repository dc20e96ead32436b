import { expect, it } from '@jest/globals';
import { nicsOf, nanosecondsRun, residentKb, secondsSinceStart } from './machine-diagnostics.js';

it('the age of a process with a bracket in its name is read', () => {
  const fields = ['S', ...Array.from({ length: 18 }, () => '0'), '120050', '9'];
  expect(secondsSinceStart(`7 (qemu) x) ${fields.join(' ')}`, '1300.75 4000.00')).toBe(100);
});

it('a thread has run for the first number of nanoseconds', () => {
  expect(nanosecondsRun('17300000000 250 9\n')).toBe(17_300_000_000);
});

it('a process takes its resident memory, not its reserved memory', () => {
  expect(residentKb('VmPeak:\t 900000 kB\nVmRSS:\t   83456 kB\n')).toBe(83_456);
  expect(residentKb('State:\tZ (zombie)\n')).toBe(0);
});

it('NICs are found by their backends; without a device of the host they have none', () => {
  const args = [
    '-netdev',
    'tap,id=net0,ifname=tapab,script=no',
    '-netdev',
    'user,id=net1,restrict=on',
    '-device',
    'virtio-net-pci,netdev=net0,mac=fa:16:3e:00:00:01,romfile=',
    '-device',
    'e1000,netdev=net1,mac=fa:16:3e:00:00:02',
    '-device',
    'pvpanic',
  ];
  expect(nicsOf(args)).toEqual([
    { macAddress: 'fa:16:3e:00:00:01', device: 'tapab' },
    { macAddress: 'fa:16:3e:00:00:02' },
  ]);
});
