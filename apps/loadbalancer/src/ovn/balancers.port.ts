/** What the provider `ovn` needs of the network service, which has OVN; tests replace it. */
import type { NetworkClient } from '@cumulet/clients/network/network-client';
import { NETWORKS } from '../vip/networks.port.js';

export type Balancers = Pick<
  NetworkClient,
  'balancers' | 'balancer' | 'putBalancer' | 'deleteBalancer'
>;

export const BALANCERS = Symbol('balancers');

export const balancersProvider = { provide: BALANCERS, useExisting: NETWORKS };
