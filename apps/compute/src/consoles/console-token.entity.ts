import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Server, type ServerId } from '../servers/server.entity.js';

/** The consoles that are offered, by the names of their types in Nova. */
export const CONSOLE_TYPES = ['novnc', 'serial'] as const;
export type ConsoleType = (typeof CONSOLE_TYPES)[number];

/** A token that opens one console of a server once. It is known by its hash alone. */
@Entity('console_tokens')
@Check('console_tokens_type_check', `type IN ('novnc', 'serial')`)
@Index('console_tokens_server_idx', ['serverId'])
@Index('console_tokens_expiry_idx', ['expiresAt'])
export class ConsoleToken {
  /** SHA-256, hexadecimal. */
  @PrimaryColumn('text', { name: 'token_hash', primaryKeyConstraintName: 'console_tokens_pkey' })
  tokenHash: string;

  @Column('uuid', { name: 'server_id' })
  @ForeignKey(() => Server, { name: 'console_tokens_server_fkey', onDelete: 'CASCADE' })
  serverId: ServerId;

  @Column('text')
  type: ConsoleType;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt: Date;
}
