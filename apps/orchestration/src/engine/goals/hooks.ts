/**
 * Breakpoints of an environment: a resource stops there until a signal clears the hook.
 * Public source: Heat template guide, "Pause stack creation or update on a given resource".
 */
import { Injectable } from '@nestjs/common';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Wait } from '@cumulet/common/reconcile/reconciler';
import { StackResourceRepository } from '../../rows/stack-resource.repository.js';
import type { ResourceDefinition } from '../../template/read-template.js';
import type { Run } from './phases.js';

export const HOOKS = [
  'pre-create',
  'post-create',
  'pre-update',
  'post-update',
  'pre-delete',
  'post-delete',
] as const;
export type Hook = (typeof HOOKS)[number];

/** The signal nudges the resource; this interval is for a lost nudge. */
const WAIT: Wait = { waitMs: 30_000 };

@Injectable()
export class HookStops {
  constructor(private readonly rows: StackResourceRepository) {}

  /** @returns how long to wait, or undefined without such a hook or once it is cleared */
  async stop(
    { ctx, row }: Run,
    { hooks }: ResourceDefinition,
    hook: Hook,
  ): Promise<Wait | undefined> {
    if (!hooks.includes(hook) || row.clearedHooks.includes(hook)) return undefined;
    if (row.hook === hook) return WAIT;
    const [, action = ''] = hook.split('-');
    await inTransaction(ctx, async (tx) => {
      await this.rows.stopAt(tx, row, hook);
      await this.rows.writeEvent(tx, row, {
        action: row.action,
        status: row.status,
        reason: `${action.toUpperCase()} paused until Hook ${hook} is cleared`,
        properties: null,
      });
    });
    row.hook = hook;
    return WAIT;
  }
}
