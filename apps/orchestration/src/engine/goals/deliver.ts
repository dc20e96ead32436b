import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { ExistingScope, Signalled } from '../../resource-types/resource-type.js';
import type { ResourceSignalRepository } from '../../rows/resource-signal.repository.js';
import type { SealedJson } from '@cumulet/common/crypto/sealed-json';
import type { LoadedResource } from '../../rows/stack-resource.entity.js';
import type { StackResourceRepository } from '../../rows/stack-resource.repository.js';
import { nudgeWaiting } from '../../rows/stack-nudges.js';
import type { StoredSignal } from '../../rows/resource-signal.entity.js';

/** Appends a signal without reading others. @throws RequestLimitExceededError */
export async function storeSignal(
  { rows, signals }: StorageTools,
  ctx: RequestContext,
  row: LoadedResource,
  signalOf: (number: number) => StoredSignal,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { reason } = await signals.store(tx, row, (before) => signalOf(before + 1));
    const event = { action: 'SIGNAL', status: row.status, reason, properties: null } as const;
    await rows.writeEvent(tx, row, event);
    await nudgeWaiting(tx, row);
  });
}

/** The part of ResourceTools that stores signals. */
interface StorageTools {
  readonly rows: StackResourceRepository;
  readonly signals: ResourceSignalRepository;
}

/** The part of ResourceTools that delivers signals. */
interface DeliveryTools {
  readonly sealed: SealedJson;
  readonly rows: StackResourceRepository;
  existing(ctx: RequestContext, row: LoadedResource, signal: AbortSignal): ExistingScope;
}

/**
 * Delivers a signal to a resource's type and stores the result. Resources that wait for it, such as
 * a wait condition for its handle, are nudged in the same transaction.
 * @returns undefined if a concurrent signal was stored first, so that this one is to be delivered again
 */
export async function deliver(
  tools: DeliveryTools,
  ctx: RequestContext,
  row: LoadedResource,
  handle: (scope: ExistingScope) => Promise<Signalled>,
): Promise<string | undefined> {
  const { sealed } = tools;
  const scope = tools.existing(ctx, row, new AbortController().signal);
  const { reason, data, metadata } = await handle(scope);
  return inTransaction(ctx, async (tx) => {
    const changed = await preparedRows(
      tx.manager,
      `UPDATE stack_resources SET data = $2, metadata = $3
        WHERE id = $1 AND data IS NOT DISTINCT FROM $4 AND metadata IS NOT DISTINCT FROM $5
      RETURNING 1`,
      [
        row.id,
        data === undefined ? row.data : sealed.seal(data),
        metadata === undefined ? row.metadata : sealed.seal(metadata),
        row.data,
        row.metadata,
      ],
    );
    if (changed.length === 0) return undefined;
    const event = { action: 'SIGNAL', status: row.status, reason, properties: null } as const;
    await tools.rows.writeEvent(tx, row, event);
    await nudgeWaiting(tx, row);
    return reason;
  });
}
