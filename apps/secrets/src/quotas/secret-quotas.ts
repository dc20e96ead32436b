/** Quotas of projects, by their names in Barbican. */
import { Inject, Injectable } from '@nestjs/common';
import { defineQuotas, namesOf } from '@cumulet/common/quotas/define-quotas';
import { Quotas } from '@cumulet/common/quotas/quotas';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { SecretsConfig } from '../config.js';

const ALIVE = '(expiration IS NULL OR expiration > now())';

export const SECRET_QUOTAS = defineQuotas({
  secrets: {
    about: 'Secrets.',
    default: ({ secretQuota }: SecretsConfig) => secretQuota,
    counted: { as: 'count(*)', in: `secrets WHERE project_id = $1 AND ${ALIVE}` },
  },
  orders: { about: 'Orders; there are none.', default: () => 0 },
  containers: {
    about: 'Containers.',
    default: ({ containerQuota }: SecretsConfig) => containerQuota,
    counted: { as: 'count(*)', in: 'containers WHERE project_id = $1' },
  },
  consumers: {
    about: 'Consumers of secrets and containers that it has registered.',
    default: ({ consumerQuota }: SecretsConfig) => consumerQuota,
    counted: {
      as: 'count(*)',
      in: `(SELECT project_id FROM secret_consumers
            UNION ALL SELECT project_id FROM container_consumers) AS consumers
           WHERE project_id = $1`,
    },
  },
  cas: { about: 'Certificate authorities; there are none.', default: () => 0 },
});

export type SecretQuota = keyof typeof SECRET_QUOTAS;
export const QUOTA_NAMES = namesOf(SECRET_QUOTAS);

@Injectable()
export class SecretQuotas extends Quotas<SecretQuota> {
  constructor(@Inject(CONFIG) config: SecretsConfig) {
    super(SECRET_QUOTAS, config);
  }
}
