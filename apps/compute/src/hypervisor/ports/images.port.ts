import type { BootImage, OpenImage } from '../boot-image.js';

/** The images that guests' disks are layers over. */
export interface ImagesPort {
  /** Whether this exact image is cached here, so that `ensureDisk` needs no download. */
  hasBaseImage(image: BootImage): Promise<boolean>;

  /**
   * Caches an image once; concurrent callers share one download, and a cached image is not read
   * again. The image is judged before it is kept.
   *
   * Throws `bad-image` for a format that is not what it claims, or is empty, encrypted,
   * unsupported, or refers to files outside itself; `transient` if the data breaks off or does not
   * match its hash; `capacity` if it does not fit.
   */
  putBaseImage(image: BootImage, open: OpenImage): Promise<void>;

  /**
   * Removes the images that no disk of a guest is a layer over, that `needed` does not name, and that
   * have been neither for `unusedMs` milliseconds, nor been put or looked for.
   *
   * @param needed the names (`imageName`) of images that guests need or will: asked again before one
   *   is removed, so that a guest cannot lose the image that it is just being made from
   * @returns the names of the removed ones
   */
  evictUnusedImages(
    unusedMs: number,
    needed: () => Promise<ReadonlySet<string>>,
  ): Promise<string[]>;
}
