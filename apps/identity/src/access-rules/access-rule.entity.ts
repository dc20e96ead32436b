import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import type { Id, UserId } from '@cumulet/common/context/ids';
import { User } from '../users/user.entity.js';

export type AccessRuleId = Id<'AccessRule'>;

/** A request that application credentials of a user may be limited to. */
@Entity('access_rules')
@Unique('access_rules_user_rule_key', ['userId', 'service', 'method', 'path'])
export class AccessRule {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'access_rules_pkey' })
  id: AccessRuleId;

  @Column('text', { name: 'user_id' })
  @ForeignKey(() => User, { name: 'access_rules_user_id_fkey', onDelete: 'CASCADE' })
  userId: UserId;

  /** The type of the service in the catalog: `compute`. */
  @Column('text')
  service: string;

  @Column('text')
  method: string;

  /** `/v2.1/servers/{server_id}`, `/v2.1/servers/*`, `/v2.1/**` */
  @Column('text')
  path: string;
}
