import { Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumns } from '../timestamp-columns.js';

/** A kind of thing that metadata is put on: `OS::Nova::Flavor`. The first association makes it. */
@Entity('metadef_resource_types')
export class MetadefResourceType extends TimestampColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'metadef_resource_types_pkey' })
  name: string;
}
