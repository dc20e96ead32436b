import { Column } from 'typeorm';
import { ResourceColumns } from '../../resource/resource.columns.js';

export const DIRECTIONS = ['ingress', 'egress'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const ETHERTYPES = ['IPv4', 'IPv6'] as const;
export type Ethertype = (typeof ETHERTYPES)[number];

/** Which packets a rule is about, whether it is one of a group or for new ones. */
export abstract class RuleColumns extends ResourceColumns {
  @Column('text')
  direction: Direction;

  @Column('text')
  ethertype: Ethertype;

  /** A name, or a number as text; null for all. */
  @Column('text', { nullable: true })
  protocol: string | null;

  /** Of TCP and others; the type of ICMP. */
  @Column('integer', { name: 'port_range_min', nullable: true })
  portRangeMin: number | null;

  /** The same; the code of ICMP. */
  @Column('integer', { name: 'port_range_max', nullable: true })
  portRangeMax: number | null;

  /** From or to which addresses, in their canonical form; null for all. */
  @Column('text', { name: 'remote_ip_prefix', nullable: true })
  remoteIpPrefix: string | null;

  /** The same as its client wrote it, where that has bits beyond the prefix. */
  @Column('text', { name: 'given_ip_prefix', nullable: true })
  givenIpPrefix: string | null;
}
