import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * How often a login has failed in a row. There is a row for logins of users that do not exist as
 * well: what is counted must not tell who exists.
 */
@Entity('login_failures')
export class LoginFailure {
  /** The user's id, or a digest of the name that nobody has. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'login_failures_pkey' })
  subject: string;

  @Column('integer')
  failures: number;

  @Column('timestamptz', { name: 'last_failed_at' })
  @Index('login_failures_last_failed_at_idx')
  lastFailedAt: Date;
}
