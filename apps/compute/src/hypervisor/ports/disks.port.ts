import type { GuestSpec } from './guest-spec.js';

/** What a guest stores on this host. */
export interface DisksPort {
  /**
   * Makes the guest's disk as a copy-on-write layer over its cached image, and its local disks with
   * their file systems, or with the content that they are to have. What is there is left as it is.
   *
   * Throws `not-ready` if an image of the guest or of a local disk is not cached; `bad-image` if the image is larger
   * than the flavor's disk, or has no boot sector while the guest has no kernel of its own.
   */
  ensureDisk(guest: GuestSpec): Promise<void>;

  /**
   * Remembers the disk and the local ones as they are now, for `restoreDisk`; does nothing to one
   * that is remembered. The guest is `absent`. Throws `not-ready` if it has no disk, or a machine.
   */
  keepDisk(guestId: string): Promise<void>;

  /**
   * Makes each disk what it was when it was kept, and forgets that; those that were made since stay,
   * for `forgetKeptDisk`. The guest is `absent`.
   */
  restoreDisk(guestId: string): Promise<void>;

  /** Gives up what was kept, and the local disks that the guest has no more; the guest may run. */
  forgetKeptDisk(guest: GuestSpec): Promise<void>;

  /**
   * Makes the disk and the local ones as large as the guest's are to be, and those that are not there.
   * A larger one stays, and so does a local disk that the guest has no more, for `restoreDisk`. The
   * guest is `absent`.
   */
  growDisk(guest: GuestSpec): Promise<void>;

  /** Removes the disk, so that `ensureDisk` makes another. The guest is `absent`. */
  discardDisk(guestId: string): Promise<void>;

  /**
   * Makes the disk that a guest boots while it is rescued, from that image and as large as it.
   *
   * Throws `not-ready` if the image is not cached, `bad-image` if no machine boots from it.
   */
  ensureRescueDisk(guest: GuestSpec): Promise<void>;

  /** Removes it. The guest is `absent`. */
  discardRescueDisk(guestId: string): Promise<void>;
}
