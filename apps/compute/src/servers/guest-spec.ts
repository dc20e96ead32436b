/** What a driver is told of a server. */
import type { Seal } from '@cumulet/common/crypto/seal';
import type { GuestNetwork } from '../nics/server-nics.service.js';
import type { GuestSpec } from '../hypervisor/ports/guest-spec.js';
import { DEFAULT_ZONE } from '../hosts/host.entity.js';
import type { KeypairSnapshot, Server } from './server.entity.js';

export function guestSpecOf(
  server: Server,
  { nics, networkData }: GuestNetwork,
  seal: Seal,
): GuestSpec {
  const { id, vcpus, memoryMb, diskGb, image, diskTag } = server;
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
      metaData: metaDataOf(server, seal),
      userData: server.userData ?? undefined,
      files: server.injectedFiles,
      networkData,
    },
  };
}

/** `meta_data.json` as Nova writes it (Nova user guide, "Metadata: OpenStack format"). */
function metaDataOf(server: Server, seal: Seal): Record<string, unknown> {
  return {
    uuid: server.id,
    name: server.name,
    hostname: server.hostname,
    project_id: server.projectId,
    availability_zone: server.zone ?? DEFAULT_ZONE,
    launch_index: server.launchIndex,
    meta: server.metadata,
    ...(server.keypair ? keysOf(server.keypair) : {}),
    ...(server.adminPassword === null ? {} : { admin_pass: seal.open(server.adminPassword) }),
  };
}

function keysOf({ name, type, publicKey: data }: KeypairSnapshot): Record<string, unknown> {
  return { public_keys: { [name]: data }, keys: [{ name, type, data }] };
}
