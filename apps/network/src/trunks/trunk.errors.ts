import { DomainError } from '@cumulet/common/errors/domain-error';

export class TrunkNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Trunk ${String(id)} could not be found.`);
  }
}

export class SubPortNotFoundError extends DomainError {
  constructor(portId: string, trunkId: string) {
    super('not-found', `SubPort ${portId} on trunk ${trunkId} could not be found.`);
  }
}

export class TrunkPortInUseError extends DomainError {
  constructor(portId: string) {
    super('conflict', `Port ${portId} is in use by another trunk.`);
  }
}

export class ParentPortInUseError extends DomainError {
  constructor(portId: string) {
    super(
      'conflict',
      `Port ${portId} is currently in use and is not eligible for use as a parent port.`,
    );
  }
}

export class DuplicateSubPortError extends DomainError {
  constructor(type: string, id: number, trunkId: string) {
    super(
      'conflict',
      `segmentation_type ${type} and segmentation_id ${id} already in use on trunk ${trunkId}.`,
    );
  }
}

export class SubPortMtuGreaterThanTrunkPortMtuError extends DomainError {
  constructor(portId: string, mtu: number, trunkPortId: string, trunkMtu: number) {
    super(
      'conflict',
      `MTU ${mtu} of subport ${portId} cannot be greater than MTU ${trunkMtu} of trunk ${trunkPortId}.`,
    );
  }
}

export class PortInUseAsTrunkParentError extends DomainError {
  constructor(portId: string, trunkId: string) {
    super('conflict', `Port ${portId} is currently a parent port for trunk ${trunkId}.`);
  }
}

export class PortInUseAsSubPortError extends DomainError {
  constructor(portId: string, trunkId: string) {
    super('conflict', `Port ${portId} is currently a subport for trunk ${trunkId}.`);
  }
}

/** A disabled trunk cannot be changed. */
export class TrunkDisabledError extends DomainError {
  constructor(id: string) {
    super('conflict', `Trunk ${id} is currently disabled.`);
  }
}

export class TrunkInErrorStateError extends DomainError {
  constructor(id: string) {
    super(
      'conflict',
      `Trunk ${id} is in error state. Attempt to resolve the error condition before proceeding.`,
    );
  }
}
