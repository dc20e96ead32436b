/** The settings of the secrets service, read from the environment once. */
import { oldSecretKeys, secretKey } from '@cumulet/common/config/secret-key';
import { drawnKey, integer, type Values } from '@cumulet/common/config/settings';
import { identitySettings, serviceSettings } from '@cumulet/common/service/service-settings';

export const secretsSettings = {
  ...serviceSettings('SECRETS', 9311),
  ...identitySettings(),
  secretKey: drawnKey(
    secretKey('SECRETS_SECRET_KEY', {
      about:
        'Key under which payloads are encrypted at rest: 32 random bytes, as 64 hexadecimal digits or in base64.',
    }),
  ),
  oldSecretKeys: oldSecretKeys('SECRETS'),
  maxPayloadBytes: integer('SECRETS_MAX_PAYLOAD_BYTES', {
    about: 'Maximum size of a payload, in bytes.',
    default: 20_000,
    min: 1,
    // In base64, and in JSON, it must fit into a body.
    max: 500_000,
  }),
  secretQuota: quota('SECRETS_QUOTA_SECRETS', 'Secrets that a project may have', 1_000),
  containerQuota: quota('SECRETS_QUOTA_CONTAINERS', 'Containers that a project may have', 1_000),
  consumerQuota: quota('SECRETS_QUOTA_CONSUMERS', 'Consumers that a project may register', 10_000),
};

export type SecretsConfig = Values<typeof secretsSettings>;

function quota(env: string, about: string, standard: number): ReturnType<typeof integer> {
  return integer(env, {
    about: `${about}; -1 is no limit.`,
    default: standard,
    min: -1,
    max: 1_000_000_000,
  });
}
