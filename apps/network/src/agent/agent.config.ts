/** Settings of the network agent, on a host of a cloud whose OVN databases run elsewhere. */
import { choice, text, type Values } from '@cumulet/common/config/settings';
import { trustSettings } from '@cumulet/common/tls/tls';
import { LOG_LEVELS } from '@cumulet/common/observe/logger';
import { certificateSettings, hostSettings, ovnAddress } from '../data-plane/data-plane.config.js';

export const agentSettings = {
  ...hostSettings,
  physicalNetworks: text('NETWORK_PHYSICAL_NETWORKS', {
    about: 'Physical networks that this host is connected to, separated by commas.',
    default: '',
  }),
  southbound: ovnAddress('NETWORK_OVN_SOUTHBOUND', {
    about:
      "Address of OVN's southbound database, for example tcp:192.0.2.10:6642, or of all servers of its cluster.",
    example: 'tcp:127.0.0.1:6642',
  }),
  ...certificateSettings,
  ...trustSettings,
  logLevel: choice('CUMULET_LOG_LEVEL', LOG_LEVELS, {
    about: 'Lowest severity of messages that are logged.',
    default: 'info',
  }),
};

export type AgentConfig = Values<typeof agentSettings>;
