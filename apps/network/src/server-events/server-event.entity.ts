import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ServerEventName } from '@cumulet/clients/compute/compute-client';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import type { ServerEventState } from './server-event.states.js';

/** A notification to compute; the row is deleted once it has been delivered. */
@Entity('server_events')
@Index('server_events_order_idx', ['createdAt', 'id'])
export class ServerEvent extends StatefulColumns {
  declare state: ServerEventState;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'server_id' })
  serverId: string;

  /** Not a foreign key: the port may have been deleted. */
  @Column('uuid', { name: 'port_id' })
  portId: string;

  @Column('text')
  name: ServerEventName;

  @Column('text')
  status: 'completed' | 'failed';

  /** Orders the events of a port, as each is written under the port's lock. */
  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt: Date;
}
