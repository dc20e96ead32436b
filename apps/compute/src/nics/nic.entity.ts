import { Check, Entity, ForeignKey, Index } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import { internal } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, id, integer, json, orNull, text, texts } from '@cumulet/common/resources/field-type';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import type { PortAddress, Subnet, Vif } from '@cumulet/clients/network/network-wire';
import { instant } from '../http/times.js';
import { Server, type ServerId } from '../servers/server.entity.js';
import { nicStates, type NicState } from './nic.states.js';

export type NicId = Id<'Nic'>;

/** A network as its guest sees it, at the last look at the port. */
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

const NIC = {
  id: internal(id<NicId>(), { primary: true, primaryKeyConstraintName: 'server_nics_pkey' }),
  serverId: internal(id<ServerId>()),
  /** Order among the server's NICs, from 0, as the guest finds them. */
  position: internal(integer()),
  /** Null for the project's automatic network, until it is chosen. */
  networkId: internal(orNull(id())),
  /** Whether the owner created the port, which then outlives the server. */
  isGiven: internal(flag(), { default: false }),
  /** Null until the port is created. */
  portId: internal(orNull(id())),
  /** Whether a port was requested, so that there may be one. */
  isAsked: internal(flag(), { default: false }),
  askedAddress: internal(orNull(text())),
  /** Security groups of a port to create; null for its project's default. */
  askedGroups: internal(orNull(texts), { type: 'uuid' }),
  tag: internal(orNull(text())),
  /** The host where the port is bound; null while it is unbound. */
  host: internal(orNull(text())),
  macAddress: internal(orNull(text())),
  /** The host's binding. */
  vif: internal(orNull(json<Vif>())),
  network: internal(orNull(json<NicNetwork>())),
  addresses: internal(json<PortAddress[]>(), { default: () => `'[]'` }),
  floatingIps: internal(json<NicFloatingIp[]>(), { default: () => `'[]'` }),
  /** Names of the port's security groups. */
  groupNames: internal(texts, { default: () => `'{}'` }),
  /** The last look at the port. */
  seenAt: internal(orNull(instant)),
} as const;

/** A NIC of a server: its request, and its port's known state. */
@Entity('server_nics')
@Index('server_nics_server_idx', ['serverId'])
@Index('server_nics_port_key', ['portId'], { unique: true })
@Check('server_nics_state_check', `state IN (${STATES})`)
@ForeignKey(() => Server, ['serverId'], ['id'], {
  name: 'server_nics_server_id_fkey',
  onDelete: 'CASCADE',
})
export class Nic extends rowOf(NIC, StatefulColumns) {
  declare state: NicState;
  declare previousState: NicState | null;
}
