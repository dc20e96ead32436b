import type { RbacKind } from './rbac-kind.js';
import { networkKind } from './network-kind.js';
import type { RbacType } from './rbac-policy.entity.js';
import * as kinds from './shared-kinds.js';

/** All kinds, in the order in which a request locks several: as whoever uses them does. */
export const RBAC_KINDS: Readonly<Record<RbacType, RbacKind>> = {
  network: networkKind,
  qos_policy: kinds.qosPolicyKind,
  subnetpool: kinds.subnetpoolKind,
  address_scope: kinds.addressScopeKind,
  address_group: kinds.addressGroupKind,
  security_group: kinds.securityGroupKind,
};

export const RBAC_TYPES = Object.keys(RBAC_KINDS) as RbacType[];
