import type { Readable } from 'node:stream';
import type { GuestSpec } from './guest-spec.js';

/** Copies of guests' disks, which are kept on this host until they are removed. */
export interface CopiesPort {
  /**
   * Copies a disk of the guest, as it is at one moment, into one qcow2 file that needs no other. A
   * running guest runs on, and what it writes after that moment is not in the copy. A long copy is
   * made between the calls: call again until it is whole. One that is whole stays as it is, and one
   * that a crash broke off is begun anew. Where the guest has an agent, that freezes its file systems
   * for the moment. Local disks are copied of a guest without a machine alone.
   *
   * Throws `not-ready` if the guest has no such disk here, or must be frozen and is not, or cannot be thawed;
   * `capacity` if the host has no room.
   * @param copyId a UUID, by which the copy is found
   * @param local the number of a local disk; without, the disk of its image is copied
   * @returns whether it is whole
   */
  copyDisk(guest: GuestSpec, copyId: string, local?: number): Promise<boolean>;

  /** The copy's data. Throws `not-ready` if there is none, or it is not whole. */
  openCopy(guestId: string, copyId: string): Promise<OpenCopy>;

  /** Removes the copy, whole or not, and ends its making; does nothing where there is none. */
  removeCopy(guestId: string, copyId: string): Promise<void>;
}

export interface OpenCopy {
  readonly sizeBytes: number;
  /** Must be read to its end or destroyed. */
  readonly data: Readable;
}
