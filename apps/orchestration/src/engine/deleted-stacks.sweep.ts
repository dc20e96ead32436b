/** Deletes stacks that were deleted long ago, with their events and templates. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { OrchestrationConfig } from '../config.js';
import { dropTemplates } from '../rows/stack-template.repository.js';
import { StackEventRepository } from '../rows/stack-event.repository.js';

const BATCH = 100;

@Injectable()
export class DeletedStacksSweep {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<OrchestrationConfig, 'archiveDays'>,
    private readonly events: StackEventRepository,
  ) {}

  @SweepEvery(60_000, 'deleted-stacks')
  async forget(ctx: RequestContext, stopping?: AbortSignal): Promise<void> {
    while (stopping?.aborted !== true) {
      if ((await this.forgetSome(ctx)) < BATCH) return;
    }
  }

  private forgetSome(ctx: RequestContext): Promise<number> {
    return inTransaction(ctx, async (tx) => {
      const gone = await preparedRows<{ id: string; templateId: string }>(
        tx.manager,
        `DELETE FROM deleted_stacks WHERE id IN (
           SELECT id FROM deleted_stacks
            WHERE deleted_at < now() - $1::double precision * interval '1 day'
            ORDER BY deleted_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
         RETURNING id, stack->>'template_id' AS "templateId"`,
        [this.config.archiveDays],
      );
      if (gone.length === 0) return 0;
      await this.events.forget(
        tx,
        gone.map(({ id }) => id),
      );
      await dropTemplates(
        tx,
        gone.map(({ templateId }) => templateId),
      );
      return gone.length;
    });
  }
}
