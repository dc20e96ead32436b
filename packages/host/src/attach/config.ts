/** The settings of an agent's container beside those of the agent, read from the environment once. */
import { text, type Values } from '@cumulet/common/config/settings';
import type { AgentKind } from '../door/agent-kinds.js';
import { sharedSettings } from '../host/config.js';

export const attachSettings = {
  ...sharedSettings,
  programDir: text('CUMULET_PROGRAM_DIR', {
    about: 'Folder of the programs that an agent brings aboard a host, of which it runs one.',
    default: '/app',
  }),
};

export type AttachConfig = Values<typeof attachSettings>;

/** The file that Node runs, in the folder of the programs. */
export const ENTRIES: Readonly<Record<AgentKind, string>> = {
  compute: 'compute.js',
  network: 'network-agent.js',
  loadbalancer: 'loadbalancer.js',
};
