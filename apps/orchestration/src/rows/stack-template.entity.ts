import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';

export type StackTemplateId = Id<'StackTemplate'>;

/** What a stack is, was, or was to be made from. Written once; a stack is given another row. */
@Entity('stack_templates')
export class StackTemplate {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'stack_templates_pkey' })
  id: StackTemplateId;

  /** A `TemplateSource`, sealed. */
  @Column('text')
  source: string;

  /** What `summaryOf` keeps of the template as it was read, sealed: shown without reading it anew. */
  @Column('text')
  summary: string;

  /** Names of the resources that its outputs refer to. */
  @Column('text', { name: 'output_resources', array: true, default: () => `'{}'` })
  outputResources: string[];

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;
}
