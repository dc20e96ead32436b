import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Id, UserId } from '@cumulet/common/context/ids';
import { User } from '../users/user.entity.js';

export type FormerPasswordId = Id<'FormerPassword'>;

/** A password that its user had before, and may not choose again for a while. */
@Entity('former_passwords')
@Index('former_passwords_user_id_idx', ['userId', 'replacedAt'])
export class FormerPassword {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'former_passwords_pkey' })
  id: FormerPasswordId;

  @Column('text', { name: 'user_id' })
  @ForeignKey(() => User, { name: 'former_passwords_user_id_fkey', onDelete: 'CASCADE' })
  userId: UserId;

  @Column('text', { name: 'password_hash', select: false })
  passwordHash: string;

  @Column('timestamptz', { name: 'replaced_at', default: () => 'now()' })
  replacedAt: Date;
}
