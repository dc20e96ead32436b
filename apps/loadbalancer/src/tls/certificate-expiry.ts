/** Shows operators when the certificates of load balancers expire. */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { Metrics } from '@cumulet/common/observe/metrics';
import { SweepEvery } from '@cumulet/common/service/background';
import { LOGGER } from '@cumulet/common/service/tokens';

const DAY_MS = 86_400_000;

/** Certificates that expire sooner are logged once a day. */
const WARN_DAYS = 14;

interface Expiry {
  readonly load_balancer_id: string;
  readonly part_id: string;
  readonly ref: string;
  readonly expires_at: Date;
}

@Injectable()
export class CertificateExpiry {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
    @Inject(DataSource) dataSource: DataSource,
  ) {
    metrics.gauge(
      'load_balancer_certificate_expiry_seconds',
      'When certificates that listeners and pools use expire, in seconds since 1970.',
      ['load_balancer_id', 'part_id', 'ref'],
      async () => {
        const rows = await expiries(dataSource.manager, null);
        return rows.map(({ expires_at: at, ...labels }) => ({
          labels: { ...labels },
          value: at.getTime() / 1_000,
        }));
      },
    );
  }

  @SweepEvery(DAY_MS, 'certificate-expiry')
  async warn({ manager }: RequestContext): Promise<void> {
    for (const { expires_at: expiresAt, ...what } of await expiries(manager, WARN_DAYS))
      this.logger.warn({ ...what, expiresAt }, 'a certificate of a load balancer expires soon');
  }
}

/** @param days until they expire; null lists all */
function expiries(manager: RequestContext['manager'], days: number | null): Promise<Expiry[]> {
  return preparedRows<Expiry>(
    manager,
    `SELECT load_balancer_id, part_id, ref, expires_at FROM tls_consumers
      WHERE expires_at < coalesce(now() + $1 * interval '1 day', 'infinity')
      ORDER BY expires_at, part_id, ref`,
    [days],
  );
}
