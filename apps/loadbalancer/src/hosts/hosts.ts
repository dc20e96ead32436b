/** The hosts that run load balancers: they report that they live, and new ones are placed on them. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { UnavailableError } from '@cumulet/common/errors/domain-error';
import { BeforeWork, SweepEvery } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { LoadBalancerConfig } from '../config.js';
import { DATA_PLANE, type DataPlane } from '../data-plane/data-plane.js';
import { Host, IS_UP, REPORT_EVERY_MS, mayHave } from './host.entity.js';

@Injectable()
export class Hosts {
  constructor(
    @Inject(CONFIG) private readonly config: LoadBalancerConfig,
    @Inject(DATA_PLANE) private readonly dataPlane: DataPlane,
  ) {}

  /** Placement needs the host: it must be known before the first job is taken. */
  @BeforeWork()
  @SweepEvery(REPORT_EVERY_MS, 'report', { local: true })
  async report({ manager }: RequestContext): Promise<void> {
    await preparedRows(
      manager,
      `INSERT INTO hosts (name, data_plane, zone, seen_at) VALUES ($1, $2, $3, clock_timestamp())
       ON CONFLICT (name) DO UPDATE
          SET data_plane = $2, zone = $3, seen_at = clock_timestamp()`,
      [this.config.host, this.dataPlane.kind, this.config.zone],
    );
  }

  /**
   * The host that lives and has the fewest load balancers, of those that this one may be on.
   * @throws UnavailableError if none of them lives
   */
  async choose(
    { manager }: RequestContext,
    { id, availabilityZone }: { readonly id: string; readonly availabilityZone: string | null },
  ): Promise<string> {
    const [host] = await preparedRows<Pick<Host, 'name'>>(
      manager,
      `SELECT name FROM hosts
        WHERE ${IS_UP} AND ${mayHave('$1')}
        ORDER BY (SELECT count(*) FROM load_balancers WHERE host = hosts.name), name
        LIMIT 1`,
      [id],
    );
    const where = availabilityZone === null ? '' : ` in availability zone ${availabilityZone}`;
    if (!host) throw new UnavailableError(`No host that runs load balancers${where} is alive.`);
    return host.name;
  }
}

@Feature({ entities: [Host], providers: [Hosts] })
export class HostsModule {}
