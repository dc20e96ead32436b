import { Entity, PrimaryColumn } from 'typeorm';

/** A guest that a host has to remove when it comes back: its server is elsewhere. */
@Entity('leftover_guests')
export class LeftoverGuest {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'leftover_guests_pkey' })
  host: string;

  @PrimaryColumn('uuid', {
    name: 'server_id',
    primaryKeyConstraintName: 'leftover_guests_pkey',
  })
  serverId: string;
}
