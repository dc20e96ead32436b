import { Column, Entity } from 'typeorm';
import { definitionColumns, Definitions } from '../definitions.js';

/** The values that a property may have, as JSON schema: what clients sent, validated. */
export type PropertySchema = Readonly<Record<string, unknown>>;

/** A key of metadata, and the values that it may have. */
@Entity('metadef_properties')
export class MetadefProperty extends definitionColumns('metadef_properties') {
  @Column('jsonb')
  schema: PropertySchema;
}

export const metadefProperties = new Definitions(MetadefProperty, 'property');
