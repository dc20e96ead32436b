import { notFound, conflict } from '@cumulet/common/errors/domain-error';

export class PortBindingNotFoundError extends notFound(
  (portId: string, host: string) =>
    `Binding for port ${portId} for host ${host} could not be found.`,
) {}

export class PortBindingAlreadyActiveError extends conflict(
  (portId: string, host: string) => `Binding for port ${portId} on host ${host} is already active.`,
) {}

export class PortBindingAlreadyExistsError extends conflict(
  (portId: string, host: string) => `Binding for port ${portId} on host ${host} already exists.`,
) {}
