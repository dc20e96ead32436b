import { Column } from 'typeorm';
import type { Extra } from './resource.dto.js';

/** A column that all resources have beside their own. */
export abstract class CreatedColumns {
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** Columns of those that keep properties of their clients. */
export abstract class ResourceColumns extends CreatedColumns {
  /** What clients keep in the resource without a meaning for identity. */
  @Column('jsonb', { default: {} })
  extra: Extra;
}
