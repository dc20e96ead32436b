/** Identity's settings, read once from the environment. */
import { serviceSettings } from '@cumulet/common/config/service-settings';
import {
  integer,
  loadSettings,
  optional,
  SettingError,
  text,
  url,
  type Setting,
  type Values,
} from '@cumulet/common/config/settings';

export const identitySettings = {
  ...serviceSettings('IDENTITY', 5000),
  secretKey: secretKey('IDENTITY_SECRET_KEY', {
    about:
      'Key under which signing keys are encrypted at rest: 32 random bytes, as 64 hexadecimal digits or in base64.',
  }),
  adminPassword: text('IDENTITY_ADMIN_PASSWORD', {
    about: 'Password of the user admin; a new value takes effect with the next start.',
    secret: true,
  }),
  demoPassword: optional(
    text('IDENTITY_DEMO_PASSWORD', {
      about: 'Password of the user demo of the project demo; unset: neither is made.',
      secret: true,
    }),
  ),
  servicePassword: text('CUMULET_SERVICE_PASSWORD', {
    about: 'Password of the service users, the same in identity and in every service.',
    secret: true,
  }),
  tokenLifetime: integer('IDENTITY_TOKEN_LIFETIME', {
    about: 'Seconds that a new token is valid.',
    default: 3_600,
    min: 60,
    max: 604_800,
  }),
  expiredTokenWindow: integer('IDENTITY_EXPIRED_TOKEN_WINDOW', {
    about: 'Seconds after its expiry for which a service may still ask about a token.',
    default: 172_800,
    min: 0,
    max: 604_800,
  }),
  revocationRefresh: integer('CUMULET_REVOCATION_REFRESH', {
    about: 'Milliseconds between two looks for revoked tokens.',
    default: 2_000,
    min: 50,
    max: 4_000,
  }),
  passwordMemory: integer('IDENTITY_PASSWORD_MEMORY', {
    about: 'KiB of memory that hashing a password with argon2id takes.',
    default: 19_456,
    min: 8,
    max: 1_048_576,
  }),
  passwordPasses: integer('IDENTITY_PASSWORD_PASSES', {
    about: 'Passes over that memory.',
    default: 2,
    min: 1,
    max: 64,
  }),
  region: text('CUMULET_REGION', {
    about: "Name of the catalog's region.",
    default: 'RegionOne',
  }),
  computeEndpoint: endpoint('COMPUTE', 'compute'),
  imageEndpoint: endpoint('IMAGE', 'images'),
  networkEndpoint: endpoint('NETWORK', 'network'),
  loadBalancerEndpoint: endpoint('LOAD_BALANCER', 'load balancer'),
  orchestrationEndpoint: endpoint('ORCHESTRATION', 'orchestration'),
  containerInfraEndpoint: endpoint('CONTAINER_INFRA', 'clusters'),
};

export type IdentityConfig = Values<typeof identitySettings>;

/** @throws SettingError naming the first variable that is missing or bad */
export function loadIdentityConfig(env = process.env): IdentityConfig {
  return loadSettings(identitySettings, env);
}

function endpoint(name: string, service: string): Setting<string | undefined> {
  return optional(
    url(`CUMULET_ENDPOINT_${name}`, {
      about: `Address of the ${service} service as clients see it, without a version; unset: not in the catalog.`,
    }),
  );
}

/** 32 bytes; read from either notation into one, so that the same key is never two. */
function secretKey(env: string, { about }: { readonly about: string }): Setting<string> {
  const type = '32 bytes as 64 hexadecimal digits or in base64';
  return {
    env,
    about,
    type,
    secret: true,
    read(value) {
      if (value === undefined || value === '')
        throw new SettingError(`${env} is required: ${about}`);
      const hex = /^[0-9a-f]{64}$/i.test(value);
      const base64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(value);
      if (!hex && !base64) throw new SettingError(`${env} must be ${type}; its value is not`);
      return Buffer.from(value, hex ? 'hex' : 'base64').toString('hex');
    },
  };
}
