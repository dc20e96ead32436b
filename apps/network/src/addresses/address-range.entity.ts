import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Subnet } from '../subnets/subnet.entity.js';

/** Addresses of a subnet's pools that nobody has, from `first` to `last`. */
@Entity('address_ranges')
@Check('address_ranges_order_check', 'first <= last')
export class AddressRange {
  @PrimaryColumn('uuid', { name: 'subnet_id', primaryKeyConstraintName: 'address_ranges_pkey' })
  @ForeignKey(() => Subnet, { name: 'address_ranges_subnet_fkey', onDelete: 'CASCADE' })
  subnetId: string;

  @Column('inet')
  first: string;

  /** What is taken is taken from the front: the key stays, and Postgres updates in place. */
  @PrimaryColumn('inet', { primaryKeyConstraintName: 'address_ranges_pkey' })
  last: string;
}
