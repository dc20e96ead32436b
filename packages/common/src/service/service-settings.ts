/** The settings that every service has, under its own prefix: `COMPUTE_PORT`, `IMAGES_PORT`. */
import { LOG_LEVELS, type LogLevel } from '../observe/logger.js';
import {
  boolean,
  choice,
  databaseUrl,
  integer,
  networks,
  optional,
  text,
  url,
  type Setting,
  type Values,
} from '../config/settings.js';
import { tlsSettings, trustSettings } from '../tls/tls.js';

export const metricsSettings = {
  metricsListenHost: text('CUMULET_METRICS_LISTEN_HOST', {
    about: 'Address on which the process serves its metrics.',
    default: '127.0.0.1',
  }),
  metricsPort: optional(
    integer('CUMULET_METRICS_PORT', {
      about:
        'Port on which the metrics of all services of the process are served at /metrics, for Prometheus; unset: they are not served.',
      min: 1,
      max: 65_535,
    }),
  ),
};

export const httpSettings = {
  unreadSeconds: integer('CUMULET_UNREAD_SECONDS', {
    about: 'Seconds after which a client that reads nothing of its answer is disconnected.',
    default: 60,
    min: 1,
    max: 3_600,
  }),
};

/** A process's part of a service: answer requests, do the work, or both. */
const SERVICE_ROLES = ['all', 'api', 'worker'] as const;
export type ServiceRole = (typeof SERVICE_ROLES)[number];

// A type, because an interface is not assignable to Settings.
export type ServiceSettings = {
  readonly role: Setting<ServiceRole>;
  readonly listenHost: Setting<string>;
  readonly port: Setting<number>;
  readonly publicUrl: Setting<string | undefined>;
  readonly guestDoorUrl: Setting<string>;
  readonly trustedProxies: Setting<string | undefined>;
  readonly databaseUrl: Setting<string>;
  readonly databasePoolSize: Setting<number>;
  readonly migrate: Setting<boolean>;
  readonly revocationRefresh: Setting<number>;
  readonly bodySeconds: Setting<number>;
  readonly unreadSeconds: Setting<number>;
  readonly stopDelaySeconds: Setting<number>;
  readonly drainSeconds: Setting<number>;
  readonly metricsListenHost: Setting<string>;
  readonly metricsPort: Setting<number | undefined>;
  readonly tlsCertificate: Setting<string | undefined>;
  readonly tlsKey: Setting<string | undefined>;
  readonly authorities: Setting<string | undefined>;
  readonly logLevel: Setting<LogLevel>;
  readonly otlpEndpoint: Setting<string | undefined>;
};

/** @param prefix `COMPUTE` @param port the default of the matching OpenStack service */
export function serviceSettings(prefix: string, port: number): ServiceSettings {
  return {
    role: choice('CUMULET_ROLE', SERVICE_ROLES, {
      about: 'What this process does: answer requests (api), do the work (worker), or both (all).',
      default: 'all',
    }),
    listenHost: text(`${prefix}_LISTEN_HOST`, {
      about: 'Address that the service listens on.',
      default: '0.0.0.0',
    }),
    port: integer(`${prefix}_PORT`, {
      about: 'Port that the service listens on; 0 lets the system choose.',
      default: port,
      min: 0,
      max: 65_535,
    }),
    publicUrl: optional(
      url(`${prefix}_PUBLIC_URL`, {
        about:
          'Address of the service as clients see it, for links; by default the address that the request was sent to.',
      }),
    ),
    guestDoorUrl: url('CUMULET_GUEST_URL', {
      about:
        'Address of the cloud as guests see it. Requests to it are answered with addresses below it, provided that the public addresses share one ingress.',
      default: 'http://169.254.169.254:8080',
    }),
    trustedProxies: optional(
      networks('CUMULET_TRUSTED_PROXIES', {
        about: 'Addresses of the proxies whose X-Forwarded headers are trusted; unset: none are.',
      }),
    ),
    databaseUrl: databaseUrl(`${prefix}_DATABASE_URL`, {
      about: "The service's own Postgres database.",
    }),
    databasePoolSize: integer(`${prefix}_DATABASE_POOL_SIZE`, {
      about: 'Connections to Postgres of one process, besides those of its job queue.',
      default: 10,
      // Some work holds a lock on one connection while it uses another.
      min: 4,
      max: 200,
    }),
    migrate: boolean('CUMULET_MIGRATE', {
      about:
        'Whether the process migrates its database when it starts; false: it waits until another program has.',
      default: true,
    }),
    revocationRefresh: integer('CUMULET_REVOCATION_REFRESH', {
      about: 'Milliseconds between two checks for revoked tokens.',
      default: 2_000,
      min: 50,
      max: 4_000,
    }),
    bodySeconds: integer('CUMULET_BODY_SECONDS', {
      about:
        "Seconds within which a request's body must arrive, unless it is the data of an image.",
      default: 30,
      min: 1,
      max: 3_600,
    }),
    ...httpSettings,
    stopDelaySeconds: integer('CUMULET_STOP_DELAY_SECONDS', {
      about:
        "Seconds for which the program of one service, once asked to stop, still takes requests while it reports not ready: twice the interval of the ingress's checks.",
      default: 0,
      min: 0,
      max: 600,
    }),
    drainSeconds: integer('CUMULET_DRAIN_SECONDS', {
      about: 'Seconds that requests under way have to finish once the process is asked to stop.',
      default: 5,
      min: 0,
      max: 600,
    }),
    ...metricsSettings,
    ...tlsSettings,
    ...trustSettings,
    logLevel: choice('CUMULET_LOG_LEVEL', LOG_LEVELS, {
      about: 'The least severe level that is logged.',
      default: 'info',
    }),
    otlpEndpoint: optional(
      url('OTEL_EXPORTER_OTLP_ENDPOINT', {
        about:
          'OpenTelemetry collector (OTLP over HTTP) that traces are sent to; unset: no traces.',
      }),
    ),
  };
}

/** Settings for verifying tokens and calling other services. */
export type IdentitySettings = {
  readonly identityUrl: Setting<string>;
  readonly identityPublicUrl: Setting<string | undefined>;
  readonly servicePassword: Setting<string>;
};

export function identitySettings(): IdentitySettings {
  return {
    identityUrl: url('CUMULET_IDENTITY_URL', {
      about:
        "Identity's address, without /v3: where keys, revocations and service tokens come from.",
    }),
    identityPublicUrl: optional(
      url('CUMULET_IDENTITY_PUBLIC_URL', {
        about:
          "Identity's address as clients see it, which a 401 names; by default CUMULET_IDENTITY_URL.",
      }),
    ),
    servicePassword: text('CUMULET_SERVICE_PASSWORD', {
      about: 'Password of the service users, the same in identity and in every service.',
      secret: true,
    }),
  };
}

/** The settings of any service. */
export type ServiceConfig = Values<ServiceSettings> & Partial<Values<IdentitySettings>>;
