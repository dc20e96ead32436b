/** The network service as far as load balancers use it; tests replace it. */
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { NetworkClient } from '@cumulet/clients/network/network-client';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { LoadBalancerConfig } from '../config.js';

export type Networks = Pick<
  NetworkClient,
  | 'addRules'
  | 'agents'
  | 'changePort'
  | 'createPort'
  | 'createSecurityGroup'
  | 'deletePort'
  | 'deleteRule'
  | 'deleteSecurityGroup'
  | 'hasQosPolicy'
  | 'network'
  | 'port'
  | 'securityGroups'
  | 'subnets'
>;

export const NETWORKS = Symbol('networks');

export const networksProvider = {
  provide: NETWORKS,
  inject: [CONFIG, ActorCredentials],
  useFactory: ({ networkUrl }: LoadBalancerConfig, credentials: ActorCredentials) =>
    new NetworkClient({ networkUrl, credentials }),
};

/** The project of what load balancers have for themselves. */
export interface OwnProject {
  projectId(): Promise<string>;
}

export const OWN_PROJECT = Symbol('own-project');
export const ownProjectProvider = { provide: OWN_PROJECT, useExisting: ServiceTokenSource };

export type Balancers = Pick<
  NetworkClient,
  'balancers' | 'balancer' | 'putBalancer' | 'deleteBalancer'
>;

export const BALANCERS = Symbol('balancers');

export const balancersProvider = { provide: BALANCERS, useExisting: NETWORKS };
