import { errorOf, conflict } from '@cumulet/common/errors/domain-error';

/** The network of a port, router or balancer has not been created yet; it is on its way. */
export class NetworkNotThereError extends errorOf(
  'transient',
  (networkId: string) => `The data plane does not have the network ${networkId} yet.`,
) {}

/** The port's subnet is new, and its network has not been updated yet. */
export class SubnetNotThereError extends errorOf(
  'transient',
  (id: string) => `The data plane does not have the subnet ${id} yet.`,
) {}

export class SecurityGroupNotThereError extends errorOf(
  'transient',
  (id: string) => `The data plane does not have the security group ${id} yet.`,
) {}

/** A network was removed before its ports or router ports. */
export class NetworkHasPortsError extends errorOf(
  'transient',
  (networkId: string) => `The data plane still has ports of the network ${networkId}.`,
) {}

/** Somebody else removed the port while it was being applied. */
export class PortNotThereError extends errorOf(
  'transient',
  (id: string) => `The data plane has lost the port ${id}.`,
) {}

/** A transaction lost to concurrent changes too many times. */
export class DataPlaneBusyError extends errorOf(
  'transient',
  'Concurrent changes kept the data plane busy.',
) {}

/** QEMU's user-mode network does not support what the port requires. */
export class PortNotPossibleError extends conflict(
  (why: string) => `QEMU's user-mode network cannot carry the port: ${why}.`,
) {}

export class BalancerNotPossibleError extends conflict(
  "QEMU's user-mode network does not support load balancers.",
) {}
