/** What clusters need of a cloud, and Magnum's plugin of Tempest must know: an image of their nodes. */
import type { CatalogSession } from './catalog-session.js';
import { upload } from './cloud-images.js';
import type { TempestConf } from './tempest.js';

/** The name of the image. */
export const NODE_IMAGE = 'node';
/** By which the service knows that the image's guests become nodes. */
const DISTRO = 'cumulet-node';
const FLAVOR = 'm1.nano';

/** @param session of an administrator, whose images everyone may boot */
export async function uploadNodeImage(session: CatalogSession): Promise<void> {
  await upload(session, NODE_IMAGE, { os_distro: DISTRO });
}

/** @param session of an administrator */
export async function clustersConf(session: CatalogSession): Promise<TempestConf> {
  await uploadNodeImage(session);
  return {
    magnum: {
      image_id: NODE_IMAGE,
      nic_id: 'public',
      flavor_id: FLAVOR,
      master_flavor_id: FLAVOR,
      // In minutes: simulated nodes are ready at once.
      cluster_creation_timeout: 2,
      cluster_delete_timeout: 2,
    },
    // The tests of what readers and members may do are skipped otherwise.
    enforce_scope: { magnum: 'True' },
  };
}
