/** What a driver is told of a server. */
import type { Seal } from '@cumulet/common/crypto/seal';
import type { GuestNetwork } from '../nics/server-nics.service.js';
import type { GuestSpec } from '../hypervisor/ports/guest-spec.js';
import { metaDataOf } from './meta-data.js';
import type { Server } from './server.entity.js';

export function guestSpecOf(
  server: Server,
  { nics, networkData }: GuestNetwork,
  seal: Seal,
): GuestSpec {
  const { id, vcpus, memoryMb, diskGb, image, diskTag, adminPassword } = server;
  return {
    id,
    vcpus,
    memoryMb,
    diskGb,
    diskTag: diskTag ?? undefined,
    image,
    kernel: image.kernel,
    ramdisk: image.ramdisk,
    nics,
    configDrive: {
      metaData: {
        ...metaDataOf(server),
        ...(adminPassword === null ? {} : { admin_pass: seal.open(adminPassword) }),
      },
      userData: server.userData ?? undefined,
      files: server.injectedFiles,
      networkData,
    },
  };
}
