/** A cloud in a process of its own, for tests that kill it: its folder, its Postgres and its OVN. */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { findOvnPrograms, PROGRAM_ROOTS } from '@cumulet/network/data-plane/ovn/host/ovn-programs';
import { OvnHost } from '@cumulet/network/data-plane/ovn/host/ovn-host';
import { openDataFolder } from '../../data-folder.js';
import { startPostgres } from '../../postgres/start-postgres.js';

const dataFolder = await openDataFolder(process.argv[2] ?? '');
await startPostgres({ dataFolder, log: () => undefined });
const programs = await findOvnPrograms(PROGRAM_ROOTS);
if (typeof programs === 'string') throw new Error(`OVN cannot be tested: ${programs}`);
await OvnHost.start(
  {
    programs,
    folder: join(dataFolder.path, 'network', 'ovn'),
    host: 'here',
    physicalNetworks: ['public'],
    // For tests of devices (RFC 2544), and one of many: other tests may run on this machine.
    uplinkAddresses: new Map([['public', `198.18.${randomInt(256)}.1/24`]]),
    availabilityZones: ['nova'],
  },
  { ended: () => undefined },
);
process.stdout.write('ready\n');
