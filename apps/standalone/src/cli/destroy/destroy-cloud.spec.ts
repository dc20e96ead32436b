import { expect, it } from '@jest/globals';
import type { ProcessUsing } from '@cumulet/common/programs/processes-using';
import { sortProcesses } from './destroy-cloud.js';

const FOLDER = '/srv/cloud';
const LOCK = `${FOLDER}/lock`;
const SELF = 1;

function at(pid: number, program: string, workingFolder = FOLDER): ProcessUsing {
  return { pid, program, workingFolder, files: [] };
}

/** Its working directory is elsewhere. */
function having(pid: number, program: string, ...files: string[]): ProcessUsing {
  return { pid, program, workingFolder: undefined, files };
}

it('processes of a cloud are told from others in its folder', () => {
  const [qemu, ovs, postgres] = [
    at(2, 'qemu-system-x86', `${FOLDER}/compute/guests/one`),
    at(3, 'ovs-vswitchd', `${FOLDER}/network/ovn`),
    at(4, 'postgres', `${FOLDER}/postgres/data`),
  ];
  const shell = at(5, 'bash');
  const backup = having(6, 'postgres', `${FOLDER}/postgres/data/base/1`);
  const self = having(SELF, 'node', LOCK);
  expect(sortProcesses([self, qemu, ovs, postgres, shell, backup], LOCK, SELF)).toEqual({
    cloud: undefined,
    ours: [qemu, ovs, postgres],
    others: [shell, backup],
  });
});

it.each(['node', 'MainThread'])('a running cloud holds the lock, as %s', (program) => {
  const cloud = having(7, program, `${FOLDER}/log/cumulet.log`, LOCK);
  expect(sortProcesses([cloud], LOCK, SELF).cloud).toBe(7);
});
