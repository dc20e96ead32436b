import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import { ResourceColumns } from '../resource/resource.columns.js';

export type PolicyId = Id<'Policy'>;

/** A text that a service reads its own rules from; identity's own are in `policy/policy.ts`. */
@Entity('policies')
export class Policy extends ResourceColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'policies_pkey' })
  id: PolicyId;

  /** The media type of the blob, as `application/json`. */
  @Column('text')
  type: string;

  @Column('text')
  blob: string;
}
