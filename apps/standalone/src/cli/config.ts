/** Settings of the command `cumulet`: those of OpenStack's own clients, and where the cloud lives. */
import {
  loadSettings,
  optional,
  secretText,
  text,
  url,
  type Values,
} from '@cumulet/common/config/settings';
import { trustSettings } from '@cumulet/common/tls/tls';
import { standaloneSettings, type Environment } from '../config.js';

export const cliSettings = {
  ...trustSettings,
  cloud: optional(
    text('OS_CLOUD', { about: 'Entry of clouds.yaml to act as, unless --cloud names one.' }),
  ),
  cloudsFile: optional(
    text('OS_CLIENT_CONFIG_FILE', { about: 'Path of the clouds.yaml to look it up in.' }),
  ),
  authUrl: optional(
    url('OS_AUTH_URL', {
      about:
        "Identity's address for acting without an entry, with OS_USERNAME, OS_PASSWORD, OS_PROJECT_NAME and the other variables of OpenStack's clients.",
    }),
  ),
};

/** The keys of an entry's `auth:` that this command understands; `OS_USERNAME` is `username`. */
export const AUTH_FIELDS = [
  'username',
  'user_id',
  'user_domain_id',
  'user_domain_name',
  'password',
  'token',
  'application_credential_id',
  'application_credential_name',
  'application_credential_secret',
  'project_id',
  'project_name',
  'project_domain_id',
  'project_domain_name',
  'domain_id',
  'domain_name',
  'system_scope',
] as const;

export type AuthField = (typeof AUTH_FIELDS)[number];
export type AuthFields = Readonly<Partial<Record<AuthField, string>>>;

export type CliConfig = Values<typeof cliSettings> & {
  readonly dataDir: string;
  readonly authType: string | undefined;
  readonly region: string | undefined;
  readonly auth: AuthFields;
};

/** @throws SettingError */
export function loadCliConfig(env: Environment): CliConfig {
  // Some are secrets, and each can come as a file: OS_PASSWORD_FILE.
  const named = AUTH_FIELDS.map(
    (field) => [field, secretText(`OS_${field.toUpperCase()}`, env)] as const,
  );
  return {
    ...loadSettings({ ...cliSettings, dataDir: standaloneSettings.dataDir }, env),
    authType: env['OS_AUTH_TYPE'] || undefined,
    region: env['OS_REGION_NAME'] || undefined,
    auth: Object.fromEntries(named.filter(([, value]) => value)),
  };
}
