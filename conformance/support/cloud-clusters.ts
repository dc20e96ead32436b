/** What Magnum's plugin of Tempest must know of a cloud: what the nodes of its clusters are made of. */
import type { CatalogSession } from './catalog-session.js';
import { upload } from './cloud-images.js';
import type { TempestConf } from './tempest.js';

/** Which the service asks for: by it, it knows that the image's guests become nodes. */
const NODE_IMAGE = { os_distro: 'cumulet' };
const IMAGE = 'node';
const EXTERNAL_NETWORK = 'public';
const FLAVOR = 'm1.nano';

/** @param session of an administrator, whose images everyone may boot */
export async function clustersConf(session: CatalogSession): Promise<TempestConf> {
  await upload(session, IMAGE, NODE_IMAGE);
  return {
    magnum: {
      image_id: IMAGE,
      nic_id: EXTERNAL_NETWORK,
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
