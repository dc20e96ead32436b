/** Confirms resizes that nobody has confirmed or reverted in time. Public source: Nova, `resize_confirm_window`. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import { SupersededError, transition } from '@cumulet/common/states/transition';
import type { ComputeConfig } from '../../config.js';
import { recordAction } from '../../servers/instance-actions/record-action.js';
import type { Server } from '../../servers/server.entity.js';
import { serverStates } from '../../servers/server.states.js';
import { nudgeServer } from '../../servers/server.tasks.js';

const MAX_ROWS = 100;

@Injectable()
export class ResizeConfirmationSweep {
  constructor(@Inject(CONFIG) private readonly config: ComputeConfig) {}

  @SweepEvery(5_000, 'resize-confirmation')
  async run(ctx: RequestContext): Promise<void> {
    const { resizeConfirmSeconds } = this.config;
    if (resizeConfirmSeconds === 0) return;
    const rows: Pick<Server, 'id' | 'host' | 'generation'>[] = await ctx.manager.query(
      `SELECT id, host, generation FROM servers
        WHERE state = 'resized' AND state_since < now() - $1::integer * interval '1 second'
        LIMIT ${MAX_ROWS}`,
      [resizeConfirmSeconds],
    );
    for (const row of rows) await this.#confirm(ctx, row);
  }

  async #confirm(
    ctx: RequestContext,
    { id, host, generation }: Pick<Server, 'id' | 'host' | 'generation'>,
  ): Promise<void> {
    try {
      await inTransaction(ctx, async (tx) => {
        await transition(tx, serverStates, id, 'confirm-resize', { only: { generation } });
        await recordAction(tx, [id], 'confirmResize');
        await nudgeServer(tx, { id, host });
      });
    } catch (error) {
      // It was reverted meanwhile, for example.
      if (!(error instanceof SupersededError)) throw error;
    }
  }
}
