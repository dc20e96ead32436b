import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { identifiedBy } from '@cumulet/common/tables/condition';
import type { Table } from '@cumulet/common/tables/table';
import type { Owned } from '../access/policy.js';
import { SecretQuotas } from '../quotas/secret-quotas.js';
import type { ContainerConsumerRow, SecretConsumerRow } from './consumer.entity.js';

type Row = SecretConsumerRow | ContainerConsumerRow;

@Injectable()
export class ConsumersService {
  constructor(private readonly quotas: SecretQuotas) {}

  /**
   * Registers a consumer for the caller's project; the same again is the same.
   * @param hold locks what it uses
   */
  async register<R extends Row>(
    ctx: RequestContext,
    table: Table<R>,
    consumer: Partial<R>,
    hold: (tx: RequestContext) => Promise<unknown>,
  ): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      await hold(tx);
      if ((await table.select(tx, identifiedBy<R>(consumer))).length > 0) return;
      await this.quotas.claim(tx, { consumers: 1 });
      await table.insert(tx, { ...consumer, projectId: tx.projectId });
    });
  }

  /**
   * Removes a consumer, which only the project that registered it may do, or the owner's.
   * @throws ConsumerNotFoundError, ForbiddenError
   */
  async remove<R extends Row>(
    ctx: RequestContext,
    table: Table<R>,
    consumer: Partial<R>,
    hold: (tx: RequestContext) => Promise<Owned>,
  ): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      const { projectId: owner } = await hold(tx);
      const { projectId } = await table.get(tx, consumer);
      if (!ctx.isAdmin && ![owner, projectId].includes(ctx.projectId))
        throw new ForbiddenError('Only the project that registered a consumer may remove it.');
      await table.delete(tx, consumer);
    });
  }
}
