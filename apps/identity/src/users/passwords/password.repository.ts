import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Id, UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { newId } from '../../database/new-id.js';
import { User } from '../user.resource.js';

/** A former password, which its user may not choose again for a while. */
@Entity('former_passwords')
@Index('former_passwords_user_id_idx', ['userId', 'replacedAt'])
export class FormerPassword {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'former_passwords_pkey' })
  id: Id<'FormerPassword'>;

  @Column('text', { name: 'user_id' })
  @ForeignKey(() => User, { name: 'former_passwords_user_id_fkey', onDelete: 'CASCADE' })
  userId: UserId;

  @Column('text', { name: 'password_hash', select: false })
  passwordHash: string;

  @Column('timestamptz', { name: 'replaced_at', default: () => 'now()' })
  replacedAt: Date;
}

export interface NewPassword {
  /** Null takes the password away. */
  readonly hash: string | null;
  readonly isSelfSet: boolean;
  /** Seconds until it must be changed; null for never. */
  readonly lifetime: number | null;
}

export interface PasswordRecord {
  readonly ageSeconds: number;
  readonly isSelfSet: boolean;
  /** The latest first. */
  readonly formerHashes: readonly string[];
}

@Injectable()
export class PasswordRepository {
  /** @param formers how many of the former passwords to read at most */
  async read(
    ctx: RequestContext,
    userId: UserId,
    formers: number,
  ): Promise<PasswordRecord | undefined> {
    const rows: PasswordRecord[] = await ctx.manager.query(
      `SELECT password_self_set AS "isSelfSet",
              COALESCE(extract(epoch FROM now() - password_set_at), 0)::float8 AS "ageSeconds",
              ARRAY(SELECT password_hash FROM former_passwords WHERE user_id = users.id
                     ORDER BY replaced_at DESC, id LIMIT $2) AS "formerHashes"
         FROM users WHERE id = $1`,
      [userId, formers],
    );
    return rows[0];
  }

  /**
   * Replaces a user's password, in the caller's transaction.
   * @param formersKept how many former passwords are kept
   * @param expected the hash that must be replaced; any if left out
   * @returns false if the user does not exist, or has another password than expected
   */
  async replace(
    ctx: RequestContext,
    userId: UserId,
    { hash, isSelfSet, lifetime }: NewPassword,
    formersKept: number,
    expected?: string,
  ): Promise<boolean> {
    const [before]: { hash: string | null }[] = await ctx.manager.query(
      'SELECT password_hash AS hash FROM users WHERE id = $1 FOR UPDATE',
      [userId],
    );
    if (!before || (expected !== undefined && before.hash !== expected)) return false;
    await ctx.manager.query(
      `UPDATE users
          SET password_hash = $2, password_self_set = $3,
              password_set_at = CASE WHEN $2::text IS NOT NULL THEN now() END,
              password_expires_at = CASE WHEN $2::text IS NOT NULL
                THEN date_trunc('second', now() + $4 * interval '1 second') END
        WHERE id = $1`,
      [userId, hash, isSelfSet, lifetime],
    );
    if (before.hash !== null && formersKept > 0)
      await ctx.manager.query(
        `INSERT INTO former_passwords (id, user_id, password_hash, replaced_at)
         VALUES ($1, $2, $3, clock_timestamp())`,
        [newId(), userId, before.hash],
      );
    await ctx.manager.query(
      `DELETE FROM former_passwords WHERE user_id = $1 AND id NOT IN
         (SELECT id FROM former_passwords WHERE user_id = $1
           ORDER BY replaced_at DESC, id LIMIT $2)`,
      [userId, formersKept],
    );
    return true;
  }
}
