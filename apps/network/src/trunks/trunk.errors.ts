import { notFound, conflict } from '@cumulet/common/errors/domain-error';

export class TrunkNotFoundError extends notFound(
  (id: unknown) => `Trunk ${String(id)} could not be found.`,
) {}

export class SubPortNotFoundError extends notFound(
  (portId: string, trunkId: string) => `SubPort ${portId} on trunk ${trunkId} could not be found.`,
) {}

export class TrunkPortInUseError extends conflict(
  (portId: string) => `Port ${portId} is in use by another trunk.`,
) {}

export class ParentPortInUseError extends conflict(
  (portId: string) =>
    `Port ${portId} is currently in use and is not eligible for use as a parent port.`,
) {}

export class DuplicateSubPortError extends conflict(
  (type: string, id: number, trunkId: string) =>
    `segmentation_type ${type} and segmentation_id ${id} already in use on trunk ${trunkId}.`,
) {}

export class SubPortMtuGreaterThanTrunkPortMtuError extends conflict(
  (portId: string, mtu: number, trunkPortId: string, trunkMtu: number) =>
    `MTU ${mtu} of subport ${portId} cannot be greater than MTU ${trunkMtu} of trunk ${trunkPortId}.`,
) {}

export class PortInUseAsTrunkParentError extends conflict(
  (portId: string, trunkId: string) =>
    `Port ${portId} is currently a parent port for trunk ${trunkId}.`,
) {}

export class PortInUseAsSubPortError extends conflict(
  (portId: string, trunkId: string) =>
    `Port ${portId} is currently a subport for trunk ${trunkId}.`,
) {}

/** A disabled trunk cannot be changed. */
export class TrunkDisabledError extends conflict(
  (id: string) => `Trunk ${id} is currently disabled.`,
) {}

export class TrunkInErrorStateError extends conflict(
  (id: string) =>
    `Trunk ${id} is in error state. Attempt to resolve the error condition before proceeding.`,
) {}
