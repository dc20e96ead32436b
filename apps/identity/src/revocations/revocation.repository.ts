/**
 * Revocation events, and the lock that orders them with tokens: the rows of a new token are read under
 * the shared lock, and a change that revokes tokens holds the exclusive one until it commits.
 *
 * Always holds: a token is either made from the rows after the change, or was issued before it by the
 * database's clock, and is revoked by it, whichever replicas take part and whatever their clocks say.
 */
import {
  type RevocationEvent,
  RevocationIndex,
  type RevocationSubject,
} from '@cumulet/common/auth/revocation';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRows } from '@cumulet/common/database/rows';
import { newId } from '../database/new-id.js';
import { Revocation } from './revocation.entity.js';

const LOCK = 'cumulet:identity:issuance';

/** @returns the time of issue in milliseconds, by the database's clock */
export async function lockForIssue(tx: RequestContext): Promise<number> {
  // The clock is read after the wait for the lock.
  const [row] = await preparedRows<{ now: Date }>(
    tx.manager,
    `WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0)))
     SELECT clock_timestamp() AS now FROM locked`,
    [LOCK],
  );
  if (!row) throw new Error('the database has no clock');
  return row.now.getTime();
}

export async function lockForRevocation(tx: RequestContext): Promise<void> {
  await tx.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [LOCK]);
}

const SUBJECT = [
  'auditId',
  'auditChainId',
  'trustId',
  'credentialId',
  'userId',
  'projectId',
  'domainId',
] as const satisfies (keyof RevocationSubject)[];

class RevocationRepository {
  /**
   * One event per subject, as of now by the database's clock. It is kept until every token issued
   * up to now has expired.
   */
  async insert(ctx: RequestContext, subjects: readonly RevocationSubject[]): Promise<void> {
    await ctx.manager.query(
      `WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now)
       INSERT INTO revocations (id, audit_id, audit_chain_id, trust_id, credential_id, user_id,
                                project_id, domain_id, issued_before, revoked_at, expires_at)
       SELECT subjects.*, clock.now, clock.now,
              clock.now + (SELECT max(token_lifetime) FROM signing_keys) * interval '1 second'
         FROM clock, unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[],
                            $6::text[], $7::text[], $8::text[]) AS subjects`,
      [
        subjects.map(() => newId()),
        ...SUBJECT.map((field) => subjects.map((subject) => subject[field] ?? null)),
      ],
    );
  }

  /** The events that a token may still match, in a fixed order. */
  listLive(ctx: RequestContext, since?: Date): Promise<Revocation[]> {
    return selectRows(
      ctx.manager,
      Revocation,
      `WHERE expires_at > now() AND ($1::timestamptz IS NULL OR revoked_at >= $1)
       ORDER BY revoked_at, id`,
      [since],
    );
  }

  /** Includes those that only expired tokens can match. */
  listAll(ctx: RequestContext): Promise<Revocation[]> {
    return selectRows(ctx.manager, Revocation, 'ORDER BY revoked_at, id');
  }

  async indexSince(ctx: RequestContext, since: Date): Promise<RevocationIndex> {
    return new RevocationIndex((await this.listLive(ctx, since)).map(revocationEvent));
  }

  /** @param windowSeconds for which expired tokens can still be looked up */
  async deleteExpired(ctx: RequestContext, windowSeconds: number): Promise<void> {
    await ctx.manager.query(
      `DELETE FROM revocations WHERE expires_at + $1 * interval '1 second' <= now()`,
      [windowSeconds],
    );
  }
}

export const revocationEvents = new RevocationRepository();

/** A row in the form that token verifiers match. */
export function revocationEvent(row: Revocation): RevocationEvent {
  const subject = SUBJECT.map((field) => [field, row[field] ?? undefined] as const);
  return { ...Object.fromEntries(subject), issuedBefore: row.issuedBefore.getTime() };
}
