import type { Server } from '../server.entity.js';

/**
 * Whether all that a server's disks hold can go to another host: swap is made anew there, and the disk
 * of its image becomes an image. Its ephemeral disks stay where they are.
 */
export function carriesItsDisks({ localDisks }: Pick<Server, 'localDisks'>): boolean {
  return localDisks.every(({ format }) => format === 'swap');
}
