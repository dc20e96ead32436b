/** Checks the health of clusters by their APIs and by the reports of their nodes. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { preparedRows } from '@cumulet/common/database/rows';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { secretsOf } from '../clusters/cluster-secrets.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { ClusterId } from '../clusters/cluster.resource.js';
import { clusters } from '../clusters/cluster.repository.js';
import type { ClustersConfig } from '../config.js';
import { ChosenEngine } from '../engine/chosen-engine.js';
import type { ApiAccess, Health } from '../engine/cluster-engine.js';
import type { Node } from '../nodes/node.entity.js';
import { nodes } from '../nodes/node.repository.js';
import { issue } from '../pki/issue.js';
import { Healing } from './healing.js';
import { runConcurrently } from './run-concurrently.js';
import { withSilence } from './silence.js';

/** The service's own finding overrides a client's, unless it is UNKNOWN. Pure. */
export function effectiveHealth(seen: Health, told: Health | null): Health {
  return seen.status === 'UNKNOWN' && told !== null ? told : seen;
}

/** Concurrent checks, so that slow clusters do not delay all. */
const CONCURRENCY = 16;
/** Clusters per run; the rest follow in the next one. */
const MAX_DUE = 1_000;

const IS_DUE = `
  api_address IS NOT NULL AND secrets IS NOT NULL
  AND state NOT IN ('create_in_progress', 'delete_in_progress')
  AND (health_checked_at IS NULL
       OR health_checked_at < clock_timestamp() - $1 * interval '1 second')`;

const DUE = `
  SELECT id FROM clusters WHERE ${IS_DUE}
   ORDER BY health_checked_at NULLS FIRST LIMIT ${MAX_DUE}`;

/** Claims a cluster for one process: the time is written before the check. */
const TAKE = `
  UPDATE clusters SET health_checked_at = clock_timestamp() WHERE id = $2 AND ${IS_DUE}
  RETURNING id`;

/** An UNKNOWN result does not overwrite health that a client reported meanwhile. */
const WRITE = `
  UPDATE clusters
     SET health_status = $2, health_status_reason = $3,
         health_told = CASE WHEN NOT $4::boolean THEN health_told END
   WHERE id = $1 AND state NOT IN ('create_in_progress', 'delete_in_progress')
     AND ($4 OR health_told IS NOT DISTINCT FROM $5::jsonb)`;

/** Each check has a certificate of its own. */
const DAYS = 1;

@Injectable()
export class HealthSweep {
  constructor(
    @Inject(CONFIG)
    private readonly config: Pick<ClustersConfig, 'healthSeconds' | 'reportSeconds'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
    private readonly sealed: SealedJson,
    private readonly engine: ChosenEngine,
    private readonly healing: Healing,
  ) {}

  @SweepEvery(
    ({ healthSeconds }: ClustersConfig) => Math.min(healthSeconds * 500, 5_000),
    'cluster-health',
  )
  async look(
    ctx: RequestContext,
    stopping: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    const { healthSeconds } = this.config;
    const due = await preparedRows<{ id: ClusterId }>(ctx.manager, DUE, [healthSeconds]);
    await runConcurrently(due, { limit: CONCURRENCY, stopping }, async ({ id }) => {
      const taken = await preparedRows(ctx.manager, TAKE, [healthSeconds, id]);
      if (taken.length > 0) await this.#lookAt(ctx, id, stopping);
    });
  }

  /** A failed check does not stop the others. */
  async #lookAt(ctx: RequestContext, id: ClusterId, stopping: AbortSignal): Promise<void> {
    try {
      const cluster = await clusters.find(ctx, id);
      if (!cluster) return;
      const all = await nodes.ofCluster(ctx, id);
      const access = await this.#access(cluster, stopping);
      const engine = await this.engine.of(ctx);
      const seen = await engine.health(ctx, cluster, access, all);
      await this.#write(ctx, cluster, all, seen);
      await this.healing.heal(ctx, cluster, all);
    } catch (err) {
      if (stopping.aborted) return;
      this.logger.warn({ err, cluster: id }, 'could not check the health of a cluster');
    }
  }

  async #write(
    ctx: RequestContext,
    { id, reportedHealth: told }: Cluster,
    all: readonly Node[],
    seen: Health,
  ): Promise<void> {
    const { reportSeconds } = this.config;
    const { status, reason } = withSilence(effectiveHealth(seen, told), all, {
      now: new Date(),
      reportSeconds,
    });
    await preparedRows(ctx.manager, WRITE, [
      id,
      status,
      JSON.stringify(reason),
      seen.status !== 'UNKNOWN',
      told && JSON.stringify(told),
    ]);
  }

  async #access(cluster: Cluster, signal: AbortSignal): Promise<ApiAccess> {
    const secrets = secretsOf(this.sealed, cluster);
    const { apiAddress: server } = cluster;
    if (!secrets || server === null) throw new Error(`cluster ${cluster.id} has no API yet`);
    const { ca } = secrets.authorities;
    const client = await issue(ca, {
      commonName: 'cumulet:health',
      organizations: ['system:masters'],
      usages: ['client'],
      days: DAYS,
    });
    return { server, caPem: ca.certificatePem, client, signal };
  }
}
