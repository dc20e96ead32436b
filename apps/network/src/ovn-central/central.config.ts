/** Settings of the central part of a cloud's OVN, as a program of its own. */
import { choice, type Values } from '@cumulet/common/config/settings';
import { LOG_LEVELS } from '@cumulet/common/observe/logger';
import { certificateSettings, listenAddress, ovnFolder } from '../data-plane/data-plane.config.js';

export const centralSettings = {
  dataDir: ovnFolder,
  listen: listenAddress({
    about:
      'Address at which the network services and agents reach the databases, on ports 6641 and 6642, by TLS if there is a certificate; 0.0.0.0 for all of this machine.',
    example: '127.0.0.1',
  }),
  ...certificateSettings,
  logLevel: choice('CUMULET_LOG_LEVEL', LOG_LEVELS, {
    about: 'Lowest severity of messages that are logged.',
    default: 'info',
  }),
};

export type CentralConfig = Values<typeof centralSettings>;
