import type { GuestSpec } from './guest-spec.js';

/** What a guest stores on this host. */
export interface DisksPort {
  /**
   * Makes the guest's disk as a copy-on-write layer over its cached image.
   *
   * Throws `not-ready` if an image of the guest is not cached; `bad-image` if the image is larger
   * than the flavor's disk, or has no boot sector while the guest has no kernel of its own.
   */
  ensureDisk(guest: GuestSpec): Promise<void>;
}
