/**
 * Tells the secrets service which listeners and pools use what, so that its owner sees it before it is
 * deleted, and that they do no more. Public source: octavia, `certificates/manager/barbican_legacy.py`.
 */
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Logger } from 'pino';
import { asService } from '@cumulet/clients/http/actor';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { SweepEvery } from '@cumulet/common/service/background';
import { LOGGER } from '@cumulet/common/service/tokens';
import type { TlsConsumer } from './tls-consumer.entity.js';
import { SECRETS, type Secrets, isContainer } from './tls-reader.js';

/** What they see as the user of what is theirs. */
const NAME = 'Octavia';

export type Use = Omit<TlsConsumer, 'isRegistered'>;

const COLUMNS = `part_id AS "partId", ref, part_type AS "partType",
  load_balancer_id AS "loadBalancerId", project_id AS "projectId", expires_at AS "expiresAt"`;

const USED = [
  'default_tls_container_ref',
  'client_ca_tls_container_ref',
  'client_crl_container_ref',
];
const USED_BY_POOLS = ['tls_container_ref', 'ca_tls_container_ref', 'crl_container_ref'];

/** Nobody names it any more, not even for as long as a change is being applied. */
const IS_UNUSED = `
  NOT EXISTS (SELECT FROM listeners WHERE id = part_id
                 AND (ref IN (${USED.join(', ')}) OR ref = ANY(sni_container_refs)))
  AND NOT EXISTS (SELECT FROM pools WHERE id = part_id AND ref IN (${USED_BY_POOLS.join(', ')}))`;

@Injectable()
export class TlsConsumers {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(SECRETS) private readonly secrets?: Secrets,
  ) {}

  /** Each is told once. */
  async register(ctx: RequestContext, uses: readonly Use[]): Promise<void> {
    if (uses.length === 0) return;
    await preparedRows(
      ctx.manager,
      `INSERT INTO tls_consumers AS old
         (part_id, ref, part_type, load_balancer_id, project_id, expires_at)
       SELECT * FROM jsonb_to_recordset($1) AS new ("partId" uuid, ref text, "partType" text,
         "loadBalancerId" uuid, "projectId" text, "expiresAt" timestamptz)
       ON CONFLICT (part_id, ref) DO UPDATE SET expires_at = excluded.expires_at
        WHERE old.expires_at IS DISTINCT FROM excluded.expires_at`,
      [JSON.stringify(uses)],
    );
    const untold = await preparedRows<Use>(
      ctx.manager,
      `SELECT ${COLUMNS} FROM tls_consumers WHERE part_id = ANY($1) AND NOT is_registered`,
      [uses.map(({ partId }) => partId)],
    );
    for (const use of untold) await this.#add(ctx, use);
  }

  /**
   * Tells what is not used any more. What cannot be told now is left to the sweep.
   * @param of which load balancer; of all by default
   * @param isGone whether that uses none, whatever its rows say
   */
  async release(ctx: RequestContext, of?: string, isGone = false): Promise<void> {
    const unused = await preparedRows<Use>(
      ctx.manager,
      `SELECT ${COLUMNS} FROM tls_consumers
        WHERE ($1::uuid IS NULL OR load_balancer_id = $1) AND ($2 OR ${IS_UNUSED})`,
      [of ?? null, isGone],
    );
    for (const use of unused) await this.#remove(ctx, use, isGone);
  }

  /** What could not be told when it ended, or whose process died then. */
  @SweepEvery(30_000, 'tls-consumers')
  sweep(ctx: RequestContext): Promise<void> {
    return this.release(ctx);
  }

  async #add(ctx: RequestContext, use: Use): Promise<void> {
    await this.#tell(ctx, use, 'add');
    await preparedRows(
      ctx.manager,
      'UPDATE tls_consumers SET is_registered = true WHERE part_id = $1 AND ref = $2',
      [use.partId, use.ref],
    );
  }

  async #remove(ctx: RequestContext, use: Use, isGone: boolean): Promise<void> {
    await this.#tell(ctx, use, 'remove');
    await preparedRows(
      ctx.manager,
      `DELETE FROM tls_consumers WHERE part_id = $1 AND ref = $2 AND ($3 OR ${IS_UNUSED})`,
      [use.partId, use.ref, isGone],
    );
  }

  /** What it refuses, as by a quota of consumers, is no reason not to carry traffic. */
  async #tell(ctx: RequestContext, use: Use, what: 'add' | 'remove'): Promise<void> {
    const { ref, partType, partId, projectId } = use;
    const as = { actor: asService(ctx), projectId };
    const url = `lbaas://${partType}s/${partId}`;
    const consumer = { service: NAME, resourceType: partType, resourceId: partId };
    try {
      await (isContainer(ref)
        ? this.secrets?.[`${what}ContainerConsumer`](as, ref, { name: NAME, url })
        : this.secrets?.[`${what}SecretConsumer`](as, ref, consumer));
    } catch (error) {
      if (!(error instanceof ServiceRefusedError)) throw error;
      this.logger.warn({ err: error, ref, [partType]: partId }, `could not ${what} a consumer`);
    }
  }
}
