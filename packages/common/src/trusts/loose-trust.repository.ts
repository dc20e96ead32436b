import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../context/request-context.js';
import { preparedRows } from '../database/rows.js';
import type { LooseTrust } from './loose-trust.entity.js';

/** After this time, no request that may have created one is still running. */
const PATIENCE = `interval '15 minutes'`;

/** Trusts per run. */
const BATCH = 100;

export type OldTrust = Pick<LooseTrust, 'id' | 'trustId' | 'expiresAt'>;

class LooseTrustRepository {
  /** Call this before creating one. @returns the row's ID */
  async expect({ manager }: RequestContext, expiresAt: Date): Promise<string> {
    const id = randomUUID();
    await preparedRows(manager, 'INSERT INTO loose_trusts (id, expires_at) VALUES ($1, $2)', [
      id,
      expiresAt,
    ]);
    return id;
  }

  /** Adds trusts that a row referred to. */
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

  async forget({ manager }: RequestContext, ids: readonly string[]): Promise<void> {
    await preparedRows(manager, 'DELETE FROM loose_trusts WHERE id = ANY($1)', [ids]);
  }

  /** Deletes the rows of ended trusts. */
  async forgetEnded({ manager }: RequestContext, trustIds: readonly string[]): Promise<void> {
    await preparedRows(manager, 'DELETE FROM loose_trusts WHERE trust_id = ANY($1)', [trustIds]);
  }
}

export const looseTrusts = new LooseTrustRepository();
