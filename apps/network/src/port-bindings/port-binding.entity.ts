import { Column, Entity, ForeignKey, PrimaryColumn, VirtualColumn } from 'typeorm';
import type { AgentConfigurations } from '../agents/agent.entity.js';
import { Port } from '../ports/port.entity.js';

/** A host that a port is prepared to move to. Where it is now, its own row says. */
@Entity('port_bindings')
export class PortBinding {
  @PrimaryColumn('uuid', { name: 'port_id', primaryKeyConstraintName: 'port_bindings_pkey' })
  @ForeignKey(() => Port, { name: 'port_bindings_port_fkey', onDelete: 'CASCADE' })
  portId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'port_bindings_pkey' })
  host: string;

  @Column('text', { name: 'vnic_type' })
  vnicType: string;

  @Column('jsonb')
  profile: Record<string, unknown>;

  /** What the host says of itself; null for one that is not known. */
  @VirtualColumn('jsonb', {
    query: (binding) => `SELECT configurations FROM agents WHERE agents.host = ${binding}.host`,
  })
  hostConfigurations: AgentConfigurations | null;
}
