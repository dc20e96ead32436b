/** A host's OVN in a separate process, for tests that kill it: FOLDER, and NETWORK=ADDRESS. */
import { findOvnPrograms, PROGRAM_ROOTS } from './ovn-programs.js';
import { OvnHost } from './ovn-host.js';
import { parseUplinkAddresses } from './uplinks/uplink-settings.js';

const [folder = '', addresses = ''] = process.argv.slice(2);
const programs = await findOvnPrograms(PROGRAM_ROOTS);
if (typeof programs === 'string') throw new Error(`OVN cannot be tested: ${programs}`);
const uplinkAddresses = parseUplinkAddresses(addresses) ?? new Map<string, string>();
await OvnHost.start(
  {
    programs,
    folder,
    host: 'here',
    physicalNetworks: [...uplinkAddresses.keys()],
    uplinkAddresses,
    availabilityZones: ['nova'],
  },
  { ended: () => undefined },
);
process.stdout.write('ready\n');
