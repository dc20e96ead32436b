import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A process that runs load balancers, by the name that it has for itself (`CUMULET_HOST`). */
@Entity('hosts')
export class Host {
  @PrimaryColumn('text')
  name: string;

  /** What it runs them by: `haproxy`, or `simulated`. */
  @Column('text', { name: 'data_plane' })
  dataPlane: string;

  /** Where it is, as availability zones name it (`LOADBALANCER_ZONE`). */
  @Column('text', { default: 'nova' })
  zone: string;

  /** When it last gave a sign of life, by the database's clock. */
  @Column('timestamptz', { name: 'seen_at' })
  seenAt: Date;
}
