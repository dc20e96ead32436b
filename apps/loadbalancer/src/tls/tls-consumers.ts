/**
 * Registers listeners and pools as consumers of secrets, so that an owner sees them before deleting a
 * secret. Public source: octavia, `certificates/manager/barbican_legacy.py`.
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

/** The consumer's name for the owner of a secret. */
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

/** No part refers to it, nor does a change in progress. */
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

  /** Each is registered once. */
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
   * Deregisters unused secrets. The sweep retries what fails.
   * @param of a load balancer; by default of all
   * @param isGone whether that uses none, regardless of its rows
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

  /** Retries failed deregistrations, and those of a crashed process. */
  @SweepEvery(30_000, 'tls-consumers')
  sweep(ctx: RequestContext): Promise<void> {
    return this.release(ctx);
  }

  async #add(ctx: RequestContext, use: Use): Promise<void> {
    await this.#update(ctx, use, 'add');
    await preparedRows(
      ctx.manager,
      'UPDATE tls_consumers SET is_registered = true WHERE part_id = $1 AND ref = $2',
      [use.partId, use.ref],
    );
  }

  async #remove(ctx: RequestContext, use: Use, isGone: boolean): Promise<void> {
    await this.#update(ctx, use, 'remove');
    await preparedRows(
      ctx.manager,
      `DELETE FROM tls_consumers WHERE part_id = $1 AND ref = $2 AND ($3 OR ${IS_UNUSED})`,
      [use.partId, use.ref, isGone],
    );
  }

  /** A refusal, such as for a quota of consumers, must not stop traffic. */
  async #update(ctx: RequestContext, use: Use, what: 'add' | 'remove'): Promise<void> {
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
