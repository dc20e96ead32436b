import { Column } from 'typeorm';
import type { Extra } from './resource.dto.js';

/** Columns that most resources have beside their own. */
export abstract class ResourceColumns {
  /** What clients keep in the resource without a meaning for identity. */
  @Column('jsonb', { default: {} })
  extra: Extra;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** The same, of what people name and describe. */
export abstract class NamedColumns extends ResourceColumns {
  @Column('text')
  name: string;

  @Column('text', { default: '' })
  description: string;
}
