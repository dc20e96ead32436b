import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import type { PortAddress, Subnet, Vif } from '@cumulet/clients/network/network-wire';
import { Server, type ServerId } from '../servers/server.entity.js';
import { nicStates, type NicState } from './nic.states.js';

export type NicId = Id<'Nic'>;

/** What of a network its guest is told, as it was when the port was last looked at. */
export interface NicNetwork {
  readonly name: string;
  /** Bytes. */
  readonly mtu: number;
  readonly subnets: readonly NicSubnet[];
}

export type NicSubnet = Omit<Subnet, 'networkId'>;

/** `203.0.113.5` leads to `10.0.0.7`. */
export interface NicFloatingIp {
  readonly fixedAddress: string;
  readonly floatingAddress: string;
}

const STATES = Object.keys(nicStates.states)
  .map((state) => `'${state}'`)
  .join(', ');

/** A network card of a server: what was asked of it, and what is known of its port. */
@Entity('server_nics')
@Index('server_nics_server_idx', ['serverId'])
@Index('server_nics_port_key', ['portId'], { unique: true })
@Check('server_nics_state_check', `state IN (${STATES})`)
export class Nic extends StatefulColumns {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'server_nics_pkey' })
  id: NicId;

  declare state: NicState;
  declare previousState: NicState | null;

  @ForeignKey(() => Server, 'id', {
    onDelete: 'CASCADE',
    name: 'server_nics_server_id_fkey',
  })
  @Column('uuid', { name: 'server_id' })
  serverId: ServerId;

  /** Its place among the server's cards, from 0: the order in which the guest finds them. */
  @Column('integer')
  position: number;

  /** Null for whichever the project is given, until it is. */
  @Column('uuid', { name: 'network_id', nullable: true })
  networkId: string | null;

  /** Whether its owner gave the port, so that it stays when the server goes. */
  @Column('boolean', { name: 'is_given', default: false })
  isGiven: boolean;

  /** Null until it is made. */
  @Column('uuid', { name: 'port_id', nullable: true })
  portId: string | null;

  /** Whether the network service has been asked to make one, so that there may be one. */
  @Column('boolean', { name: 'is_asked', default: false })
  isAsked: boolean;

  /** The address that was asked for. */
  @Column('text', { name: 'asked_address', nullable: true })
  askedAddress: string | null;

  /** Of a port that is made; null for the default one of its project. */
  @Column('uuid', { name: 'asked_groups', array: true, nullable: true })
  askedGroups: string[] | null;

  @Column('text', { nullable: true })
  tag: string | null;

  /** Where its port is plugged in; null while it is nowhere. */
  @Column('text', { nullable: true })
  host: string | null;

  @Column('text', { name: 'mac_address', nullable: true })
  macAddress: string | null;

  /** How the host plugs it in. */
  @Column('jsonb', { nullable: true })
  vif: Vif | null;

  @Column('jsonb', { nullable: true })
  network: NicNetwork | null;

  @Column('jsonb', { default: () => `'[]'` })
  addresses: PortAddress[];

  @Column('jsonb', { name: 'floating_ips', default: () => `'[]'` })
  floatingIps: NicFloatingIp[];

  /** The names of the port's security groups. */
  @Column('text', { name: 'group_names', array: true, default: () => `'{}'` })
  groupNames: string[];

  /** When its port was last looked at. */
  @Column('timestamptz', { name: 'seen_at', nullable: true })
  seenAt: Date | null;
}
