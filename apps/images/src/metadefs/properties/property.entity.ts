import { Column, Entity } from 'typeorm';
import { definitionColumns } from '../definition.js';
import { Definitions } from '../definitions.js';

/** What a property's values may be, as JSON schema has it: what clients sent, checked. */
export type PropertySchema = Readonly<Record<string, unknown>>;

/** A key of metadata, and what its values may be. */
@Entity('metadef_properties')
export class MetadefProperty extends definitionColumns('metadef_properties') {
  @Column('jsonb')
  schema: PropertySchema;
}

export const metadefProperties = new Definitions(MetadefProperty, 'property');
