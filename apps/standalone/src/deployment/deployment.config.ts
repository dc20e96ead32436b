/** Settings of `prepare`, which readies a cloud of several processes: its secrets, databases and seeds. */
import { optional, setting, text, url, type Values } from '@cumulet/common/config/settings';
import { standaloneSettings } from '../config.js';

export const deploymentSettings = {
  secretsDir: text('CUMULET_SECRETS_DIR', {
    about: 'Folder of the secrets, a file for each, which has the name of its setting.',
    default: '/run/cumulet/secrets',
  }),
  databaseHost: text('CUMULET_DATABASE_HOST', {
    about: 'Host, or host:port, of the Postgres of all services.',
    default: 'postgres',
  }),
  url: url('CUMULET_URL', {
    about: 'Address of the cloud as its own processes reach it.',
    default: 'http://ingress:8080',
  }),
  publicUrl: url('CUMULET_PUBLIC_URL', {
    about: 'Address of the cloud as clients see it.',
    default: 'http://127.0.0.1:8080',
  }),
  publicCidr: standaloneSettings.publicCidr,
  publicPool: optional(
    setting(
      'CUMULET_PUBLIC_POOL',
      'first-last IPv4 address',
      {
        about:
          'Addresses of the external network `public` that servers and routers may have, for example 172.24.4.2-172.24.4.239; by default all.',
      },
      (value) => (/^[\d.]+-[\d.]+$/.test(value) ? value : undefined),
    ),
  ),
  seedDir: text('CUMULET_SEED_DIR', {
    about: 'Folder of micro.qcow2 and of node-images, which are offered as images.',
    default: '/usr/share/cumulet',
  }),
};

export type DeploymentConfig = Values<typeof deploymentSettings>;
