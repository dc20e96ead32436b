import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';

export type StackTemplateId = Id<'StackTemplate'>;

/** A current, former or future template of a stack. Immutable; a stack is assigned another row. */
@Entity('stack_templates')
export class StackTemplate {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'stack_templates_pkey' })
  id: StackTemplateId;

  /** A `TemplateSource`, sealed. */
  @Column('text')
  source: string;

  /** The result of `summaryOf`, sealed, so that the template need not be read again to be shown. */
  @Column('text')
  summary: string;

  /** Names of the resources that its outputs refer to. */
  @Column('text', { name: 'output_resources', array: true, default: () => `'{}'` })
  outputResources: string[];

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;
}
