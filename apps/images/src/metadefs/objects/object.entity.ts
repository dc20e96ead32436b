import { Column, Entity } from 'typeorm';
import { definitionColumns, Definitions } from '../definitions.js';
import type { PropertySchema } from '../properties/property.entity.js';

/** Properties that belong together, under one name. */
@Entity('metadef_objects')
export class MetadefObject extends definitionColumns('metadef_objects') {
  @Column('text', { nullable: true })
  description: string | null;

  /** Names of its required properties. */
  @Column('text', { array: true })
  required: string[];

  /** By name. */
  @Column('jsonb')
  properties: Readonly<Record<string, PropertySchema>>;
}

export const metadefObjects = new Definitions(MetadefObject, 'object');
