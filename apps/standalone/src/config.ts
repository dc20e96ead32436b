/** Settings of the standalone cloud. Each service's are read from the environment too. */
import {
  boolean,
  choice,
  fileVariable,
  integer,
  loadSettings,
  optional,
  setting,
  SettingError,
  text,
  url,
  type Environment,
  type Setting,
  type Values,
} from '@cumulet/common/config/settings';
import { isLoopback } from '@cumulet/common/addresses/ip-address';
import { httpSettings, metricsSettings } from '@cumulet/common/service/service-settings';
import { trustSettings } from '@cumulet/common/tls/tls';
import { LOG_LEVELS } from '@cumulet/common/observe/logger';

export const standaloneSettings = {
  dataDir: text('CUMULET_DATA_DIR', {
    about: 'Folder for everything that outlives the process.',
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
    about: "Also listen on each service's own port, such as 8774 for compute.",
    default: false,
  }),
  ...httpSettings,
  ...metricsSettings,
  ...trustSettings,
  adminPassword: optional(
    text('CUMULET_ADMIN_PASSWORD', {
      about: 'Password of the user admin; by default one is generated at the first start.',
      secret: true,
    }),
  ),
  demoPassword: demoPassword('IDENTITY_DEMO_PASSWORD', {
    about:
      'Password of the user demo; by default one is generated at the first start. If empty, the user is not created.',
  }),
  seedMicro: boolean('CUMULET_SEED_MICRO', {
    about: 'Build the small guest image `micro` if possible, and offer it.',
    default: true,
  }),
  publicCidr: orNone(
    text('CUMULET_PUBLIC_CIDR', {
      about:
        'CIDR of the external network `public`, which is created with a default subnet pool for project networks. If empty, neither is created.',
      default: '172.24.4.0/24',
    }),
  ),
  vipCidr: orNone(
    setting(
      'CUMULET_VIP_CIDR',
      'CIDR within 127.0.0.0/8',
      {
        about:
          'CIDR of load balancers on this machine (subnet `vips`), where there is no OVN. If empty, there are none.',
        default: '127.90.0.0/16',
      },
      (value) => (isLoopback(value) && value.includes('/') ? value : undefined),
    ),
  ),
  otlpEndpoint: optional(
    url('OTEL_EXPORTER_OTLP_ENDPOINT', {
      about: 'OpenTelemetry collector (OTLP over HTTP) that traces are sent to; unset: no traces.',
    }),
  ),
  logLevel: choice('CUMULET_LOG_LEVEL', LOG_LEVELS, {
    about: 'The least severe level that is logged, to log/cumulet.log in the data folder.',
    default: 'info',
  }),
};

export type StandaloneConfig = Values<typeof standaloneSettings>;
export type { Environment };

/** Service settings that a person may not give here, besides keys, and what to use instead. */
const KEPT: Readonly<Record<string, string>> = {
  IDENTITY_ADMIN_PASSWORD: 'set CUMULET_ADMIN_PASSWORD in its place',
  CUMULET_SERVICE_PASSWORD: 'secrets.json in the data folder holds it',
  CUMULET_TLS_CERTIFICATE: 'have a proxy in front of it serve HTTPS',
  CUMULET_TLS_KEY: 'have a proxy in front of it serve HTTPS',
};

/** @throws SettingError naming the first variable that is bad, or that this cloud refuses */
export function loadStandaloneConfig(env: Environment): StandaloneConfig {
  for (const [name, instead] of Object.entries(KEPT)) refuse(name, env, instead);
  return loadSettings(standaloneSettings, env);
}

/**
 * @param instead what to do in place of the setting
 * @throws SettingError if the setting is given, itself or as a file
 */
export function refuse(name: string, env: Environment, instead: string): void {
  const given = [name, fileVariable(name)].find((each) => env[each]);
  if (given === undefined) return;
  throw new SettingError(`${given} is not a setting of the standalone cloud: ${instead}`);
}

/** Here, empty means none, and not the default. */
function orNone(setting: Setting<string>): Setting<string> {
  return { ...setting, read: (value) => (value === '' ? '' : setting.read(value)) };
}

/** Here, empty means none. */
function demoPassword(env: string, { about }: { about: string }): Setting<string | undefined> {
  return { env, about, type: 'text', defaultText: 'unset', secret: true, read: (value) => value };
}
