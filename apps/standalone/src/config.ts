/** Settings of the standalone cloud. Those of each service are taken from the environment too. */
import {
  boolean,
  choice,
  integer,
  loadSettings,
  optional,
  text,
  url,
  type Values,
} from '@cumulet/common/config/settings';
import { LOG_LEVELS } from '@cumulet/common/observe/logger';

export const standaloneSettings = {
  dataDir: text('CUMULET_DATA_DIR', {
    about: 'Folder of everything that outlives the process.',
    default: '.cumulet',
  }),
  listenHost: text('CUMULET_LISTEN_HOST', {
    about: 'Address that the cloud listens on.',
    default: '127.0.0.1',
  }),
  port: integer('CUMULET_PORT', {
    about: 'Port of all APIs; 0 lets the system choose.',
    default: 8080,
    min: 0,
    max: 65_535,
  }),
  publicUrl: optional(
    url('CUMULET_PUBLIC_URL', {
      about: 'Address of the cloud as clients see it; by default the one that it listens on.',
    }),
  ),
  servicePorts: boolean('CUMULET_SERVICE_PORTS', {
    about: "Also listen on each service's own port, as 8774 for compute.",
    default: false,
  }),
  adminPassword: optional(
    text('CUMULET_ADMIN_PASSWORD', {
      about: 'Password of the user admin; by default one that is drawn at the first start.',
      secret: true,
    }),
  ),
  seedMicro: boolean('CUMULET_SEED_MICRO', {
    about: 'Build the small guest image `micro` where that is possible, and offer it.',
    default: true,
  }),
  otlpEndpoint: optional(
    url('OTEL_EXPORTER_OTLP_ENDPOINT', {
      about: 'OpenTelemetry collector (OTLP over HTTP) that traces are sent to; unset: no traces.',
    }),
  ),
  logLevel: choice('CUMULET_LOG_LEVEL', LOG_LEVELS, {
    about: 'The least serious level that is logged, to log/cumulet.log in the data folder.',
    default: 'info',
  }),
};

export type StandaloneConfig = Values<typeof standaloneSettings>;
export type Environment = Readonly<Record<string, string | undefined>>;

export function loadStandaloneConfig(env: Environment): StandaloneConfig {
  return loadSettings(standaloneSettings, env);
}
