/** The process's driver; what it provides is undefined if there is none. */
export const HYPERVISOR = Symbol('hypervisor');

import type { AgentsPort } from './ports/agents.port.js';
import type { ConsolesPort } from './ports/consoles.port.js';
import type { CopiesPort } from './ports/copies.port.js';
import type { DisksPort } from './ports/disks.port.js';
import type { GuestsPort } from './ports/guests.port.js';
import type { HostPort } from './ports/host.port.js';
import type { ImagesPort } from './ports/images.port.js';
import type { MachinesPort } from './ports/machines.port.js';
import type { NicsPort } from './ports/nics.port.js';

/**
 * The port between compute and what runs guests on one host, parted by what its methods are about.
 * Plain data goes in and comes out; every failure is a HypervisorError of a closed set of kinds. The
 * tests in `hypervisor-contract.fixture.ts` say what every driver does.
 *
 * Always holds:
 * - Every method can be called again after a crash at any point; what is done stays done.
 * - Guests outlive the process that called: a driver opened later on the same host finds them.
 * - For one guest there is never more than one running machine, however many callers start it.
 * - Reading creates nothing of a guest: `state`, `list` and `consoleOutput` start nothing.
 * - A method's name is its own among those of all parts.
 */
export interface HypervisorDriver {
  readonly host: HostPort;
  readonly images: ImagesPort;
  readonly disks: DisksPort;
  readonly copies: CopiesPort;
  readonly machines: MachinesPort;
  readonly consoles: ConsolesPort;
  readonly agents: AgentsPort;
  readonly nics: NicsPort;
  readonly guests: GuestsPort;
}

/** The name of a method of any part. */
export type HypervisorMethod = {
  [Part in keyof HypervisorDriver]: keyof HypervisorDriver[Part];
}[keyof HypervisorDriver];
