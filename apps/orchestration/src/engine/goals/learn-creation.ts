import { isRefusal } from '@cumulet/common/states/refusal';
import type { Frozen } from '../stored.js';
import type { Run } from './phases.js';
import type { ResourceTools } from './resource-tools.js';

/** What a creation without an answer has made, if anything: it is asked for again, under its key. */
export async function learnCreation(
  tools: ResourceTools,
  { ctx, row, signal }: Run,
): Promise<void> {
  if (row.frozen === null || row.action !== 'CREATE' || row.properties !== null) return;
  const { sealed, rows } = tools;
  try {
    const scope = tools.scopeOf(ctx, row, signal, sealed.open<Frozen>(row.frozen));
    const { physicalId, data } = await tools.kindOf(row).type.create(scope);
    const kept = data === undefined ? {} : { data: sealed.seal(data) };
    await rows.learn(ctx, row, { physicalId, properties: row.frozen, frozen: null, ...kept });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await rows.learn(ctx, row, { frozen: null });
  }
}
