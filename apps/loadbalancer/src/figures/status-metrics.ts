/** How load balancers are, for who operates them. */
import { Inject, Injectable } from '@nestjs/common';
import { Metrics } from '@cumulet/common/observe/metrics';
import { DataSource } from 'typeorm';

interface Counted {
  readonly provisioning_status: string;
  readonly operating_status: string;
  readonly count: number;
}

@Injectable()
export class StatusMetrics {
  constructor(metrics: Metrics, @Inject(DataSource) dataSource: DataSource) {
    metrics.gauge(
      'load_balancers',
      'Load balancers by their statuses.',
      ['provisioning_status', 'operating_status'],
      async () => {
        const rows: Counted[] = await dataSource.query(
          `SELECT upper(state) AS provisioning_status, operating_status, count(*)::int AS count
             FROM load_balancers GROUP BY 1, 2`,
        );
        return rows.map(({ count: value, ...labels }) => ({ labels: { ...labels }, value }));
      },
    );
  }
}
