/** Turns a driver's failure into the domain's: whether to retry, and what the owner reads. */
import { HypervisorError } from '../hypervisor/hypervisor-error.js';
import { GuestImpossibleError, GuestNotNowError } from './server.errors.js';

/** @throws GuestNotNowError or GuestImpossibleError in place of a HypervisorError */
export async function onHypervisor<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof HypervisorError ? translated(error) : error;
  }
}

function translated(error: HypervisorError): Error {
  switch (error.kind) {
    case 'transient':
      return new GuestNotNowError(error.message, error);
    case 'bad-image':
      return new GuestImpossibleError(error.message, error, { forOperator: false });
    case 'capacity':
    case 'missing-program':
    case 'not-ready':
      return new GuestImpossibleError(error.message, error, { forOperator: true });
    case 'bug':
      return error;
  }
}
