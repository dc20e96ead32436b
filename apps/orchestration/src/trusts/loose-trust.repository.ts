import { randomUUID } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { LooseTrust } from './loose-trust.entity.js';

/** After which no request is under way any more that may have made one. */
const PATIENCE = `interval '15 minutes'`;

/** Of one look. */
const BATCH = 100;

export type OldTrust = Pick<LooseTrust, 'id' | 'trustId' | 'expiresAt'>;

class LooseTrustRepository {
  /** Before one is asked for. @returns the row's id */
  async expect({ manager }: RequestContext, expiresAt: Date): Promise<string> {
    const id = randomUUID();
    await preparedRows(manager, 'INSERT INTO loose_trusts (id, expires_at) VALUES ($1, $2)', [
      id,
      expiresAt,
    ]);
    return id;
  }

  /** Those that a stack had. */
  async add({ manager }: RequestContext, trustIds: readonly string[]): Promise<void> {
    if (trustIds.length === 0) return;
    await preparedRows(
      manager,
      'INSERT INTO loose_trusts (id, trust_id) SELECT gen_random_uuid(), unnest($1::text[])',
      [trustIds],
    );
  }

  async old({ manager }: RequestContext): Promise<OldTrust[]> {
    return preparedRows<OldTrust>(
      manager,
      `SELECT id, trust_id AS "trustId", expires_at AS "expiresAt" FROM loose_trusts
        WHERE created_at < now() - ${PATIENCE} ORDER BY created_at LIMIT ${BATCH}`,
    );
  }

  /** Which of these are stacks'. */
  async used({ manager }: RequestContext, trustIds: readonly string[]): Promise<Set<string>> {
    if (trustIds.length === 0) return new Set();
    const rows = await preparedRows<{ trustId: string }>(
      manager,
      `SELECT one AS "trustId" FROM unnest($1::text[]) AS one
        WHERE EXISTS (SELECT FROM stacks WHERE trust_id = one OR one = ANY(former_trust_ids))`,
      [trustIds],
    );
    return new Set(rows.map(({ trustId }) => trustId));
  }

  async forget({ manager }: RequestContext, ids: readonly string[]): Promise<void> {
    await preparedRows(manager, 'DELETE FROM loose_trusts WHERE id = ANY($1)', [ids]);
  }

  /** Those of these trusts, which have ended. */
  async forgetEnded({ manager }: RequestContext, trustIds: readonly string[]): Promise<void> {
    await preparedRows(manager, 'DELETE FROM loose_trusts WHERE trust_id = ANY($1)', [trustIds]);
  }
}

export const looseTrusts = new LooseTrustRepository();
