import { inTransaction } from '@cumulet/common/database/transaction';
import type { Scope, Wait } from '@cumulet/common/reconcile/reconciler';
import { Inject, Injectable } from '@nestjs/common';
import { SweepEvery } from '@cumulet/common/service/background';
import { type RequestContext } from '@cumulet/common/context/request-context';
import type { ImagesConfig } from '../config.js';
import type { Image } from '../images/image.entity.js';
import { IMAGES_CONFIG } from '../injection-tokens.js';
import { TaskRepository } from '../tasks/task.repository.js';
import { ImportTurnRepository } from './import-turn.repository.js';

/** The sweep wakes an import at its turn; this is for a cloud whose sweeps do not run. */
const LOOK_AGAIN_MS = 30_000;

/** The phase in which an import waits for its turn, so that no project takes up all workers. */
@Injectable()
export class ImportTurns {
  constructor(
    @Inject(IMAGES_CONFIG) private readonly config: ImagesConfig,
    private readonly turns: ImportTurnRepository,
    private readonly tasks: TaskRepository,
  ) {}

  /** @throws WrongStateError or RowGoneError */
  take({ ctx, row: { id, owner } }: Scope<Image>): Promise<Wait | undefined> {
    return inTransaction(ctx, async (tx) => {
      const isTaken = await this.turns.take(tx, id, owner, this.config.importsPerProject);
      if (!isTaken) return { waitMs: LOOK_AGAIN_MS };
      await this.tasks.begin(tx, id);
      return undefined;
    });
  }

  /** Wakes the imports whose turn has come, as others have ended. */
  @SweepEvery(1_000, 'import-turns')
  wake(ctx: RequestContext): Promise<void> {
    return this.turns.wake(ctx, this.config.importsPerProject);
  }
}
