import { oldSecretKeys, oldSecrets, secretKey } from '@cumulet/common/config/secret-key';
import { serviceSettings } from '@cumulet/common/service/service-settings';
import {
  boolean,
  drawnKey,
  integer,
  loadSettings,
  optional,
  setting,
  SettingError,
  text,
  type Setting,
  type SettingOptions,
  type Values,
} from '@cumulet/common/config/settings';

export const identitySettings = {
  ...serviceSettings('IDENTITY', 5000),
  secretKey: drawnKey(
    secretKey('IDENTITY_SECRET_KEY', {
      about:
        'Key under which signing keys and credentials are encrypted at rest: 32 random bytes, as 64 hexadecimal digits or in base64.',
    }),
  ),
  oldSecretKeys: oldSecretKeys('IDENTITY'),
  adminPassword: text('IDENTITY_ADMIN_PASSWORD', {
    about: 'Password of the user admin; a new value takes effect with the next start.',
    secret: true,
  }),
  demoPassword: optional(
    text('IDENTITY_DEMO_PASSWORD', {
      about: 'Password of the user demo of the project demo; unset: neither is created.',
      secret: true,
    }),
  ),
  servicePassword: text('CUMULET_SERVICE_PASSWORD', {
    about: 'Password of the service users, the same in identity and in every service.',
    secret: true,
  }),
  oldServicePasswords: oldSecrets('CUMULET_OLD_SERVICE_PASSWORDS', {
    of: 'CUMULET_SERVICE_PASSWORD',
  }),
  tokenLifetime: integer('IDENTITY_TOKEN_LIFETIME', {
    about: 'Seconds that a new token is valid.',
    default: 3_600,
    min: 60,
    max: 604_800,
  }),
  keyRotation: integer('IDENTITY_KEY_ROTATION', {
    about: 'Seconds for which a key signs tokens before a new one does.',
    default: 2_592_000,
    min: 60,
    max: 31_536_000,
  }),
  expiredTokenWindow: integer('IDENTITY_EXPIRED_TOKEN_WINDOW', {
    about: 'Seconds after its expiry for which a service may still ask about a token.',
    default: 172_800,
    min: 0,
    max: 604_800,
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
  passwordPattern: optional(
    pattern('IDENTITY_PASSWORD_PATTERN', {
      about:
        'Regular expression that new passwords must match from their beginning. It is tried on passwords of up to 4096 characters, so it must not nest repetitions, as (a+)+ does; unset: any password.',
    }),
  ),
  passwordPatternText: text('IDENTITY_PASSWORD_PATTERN_TEXT', {
    about: 'Description of IDENTITY_PASSWORD_PATTERN for users who choose a password.',
    default: 'it does not have the form that this cloud asks for',
  }),
  passwordHistory: integer('IDENTITY_PASSWORD_HISTORY', {
    about:
      'Number of its last passwords, the current one included, that a user cannot choose again; 0: none.',
    default: 0,
    min: 0,
    max: 24,
  }),
  passwordMinimumAge: integer('IDENTITY_PASSWORD_MINIMUM_AGE', {
    about: 'Days for which a user must keep a password that it has chosen itself.',
    default: 0,
    min: 0,
    max: 365,
  }),
  passwordExpiry: integer('IDENTITY_PASSWORD_EXPIRY', {
    about: 'Days after which a new password must be changed; 0: never.',
    default: 0,
    min: 0,
    max: 3_650,
  }),
  passwordChangeOnFirstUse: boolean('IDENTITY_PASSWORD_CHANGE_ON_FIRST_USE', {
    about: 'Whether a user must change a password that an administrator gave it.',
    default: false,
  }),
  lockoutFailures: integer('IDENTITY_LOCKOUT_FAILURES', {
    about: 'Logins that may fail in a row before their user is locked out; 0: any number.',
    default: 10,
    min: 0,
    max: 1_000_000,
  }),
  lockoutSeconds: integer('IDENTITY_LOCKOUT_SECONDS', {
    about: 'Seconds for which a user is locked out, and after which failures are forgotten.',
    default: 60,
    min: 1,
    max: 86_400,
  }),
  region: text('CUMULET_REGION', {
    about: "Name of the catalog's region.",
    default: 'RegionOne',
  }),
  services: catalogServices('CUMULET_SERVICES', {
    about:
      "The cloud's services, identity aside: each gets a service user and a place in the catalog.",
  }),
};

export type IdentityConfig = Values<typeof identitySettings>;

/** @throws SettingError naming the first variable that is missing or bad */
export function loadIdentityConfig(env = process.env): IdentityConfig {
  return loadSettings(identitySettings, env);
}

export interface CatalogService {
  /** The name of its service user. */
  readonly user: string;
  readonly type: string;
  /** The matching OpenStack project, as clients show it. */
  readonly name: string;
  readonly url: string;
}

function catalogServices(
  env: string,
  { about }: { readonly about: string },
): Setting<readonly CatalogService[]> {
  const type =
    '`user:type:name=URL`, separated by commas, such as `compute:compute:nova=https://cloud/v2.1`';
  return {
    env,
    about,
    type,
    defaultText: 'none',
    read(value = '') {
      const texts = value === '' ? [] : value.split(',');
      return texts.map((text) => {
        const [, user = '', kind = '', name = '', url = ''] =
          /^ *([a-z0-9-]+):([a-z0-9-]+):([a-z0-9-]+)=(https?:\/\/\S+) *$/.exec(text) ?? [];
        if (URL.canParse(url)) return { user, type: kind, name, url };
        throw new SettingError(`${env} must be ${type}; ${JSON.stringify(text)} is not`);
      });
    },
  };
}

/** In JavaScript's syntax, with the flag u; unanchored at the end, as in Keystone. */
function pattern(env: string, options: SettingOptions<RegExp>): Setting<RegExp> {
  return setting(env, 'a regular expression', options, (value) => {
    try {
      return new RegExp(`^(?:${new RegExp(value, 'u').source})`, 'u');
    } catch {
      return undefined;
    }
  });
}
