import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ServerEventName } from '@cumulet/clients/compute/compute-client';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import type { ServerEventState } from './server-event.states.js';

/** What compute is still to be told; the row goes once it has been. */
@Entity('server_events')
@Index('server_events_order_idx', ['createdAt', 'id'])
export class ServerEvent extends StatefulColumns {
  declare state: ServerEventState;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'server_id' })
  serverId: string;

  /** No foreign key: the port may be gone by then. */
  @Column('uuid', { name: 'port_id' })
  portId: string;

  @Column('text')
  name: ServerEventName;

  @Column('text')
  status: 'completed' | 'failed';

  /** When it happened; events of one port are ordered by it, as each is written under its lock. */
  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt: Date;
}
