import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A size of server. */
@Entity('flavors')
@Index('flavors_name_key', ['name'], { unique: true })
@Check('flavors_sizes_check', 'vcpus > 0 AND memory_mb > 0 AND disk_gb >= 0')
export class Flavor {
  /** Nova's flavorid: any text, `1` for m1.tiny. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'flavors_pkey' })
  id: string;

  @Column('text')
  name: string;

  @Column('integer')
  vcpus: number;

  @Column('integer', { name: 'memory_mb' })
  memoryMb: number;

  /** 0 means as large as the image. */
  @Column('integer', { name: 'disk_gb' })
  diskGb: number;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('boolean', { name: 'is_public', default: true })
  isPublic: boolean;
}
