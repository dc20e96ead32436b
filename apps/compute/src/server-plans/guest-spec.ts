/** What a driver is told of a server. */
import type { Seal } from '@cumulet/common/crypto/seal';
import type { GuestNetwork } from '../nics/server-nics.service.js';
import type { GuestSpec } from '../hypervisor/ports/guest-spec.js';
import { guestHardwareOf } from '../servers/hardware/guest-hardware-of.js';
import { rescueDeviceOf } from '../servers/hardware/rescue-device-of.js';
import { metaDataOf } from '../servers/meta-data.js';
import type { Server } from '../servers/server.entity.js';

export function guestSpecOf(
  server: Server,
  { nics, networkData, namespace }: GuestNetwork,
  seal: Seal,
): GuestSpec {
  const { id, vcpus, memoryMb, diskGb, image, diskTag, localDisks, flavor, adminPassword } = server;
  const { rescueImage } = server;
  const hardware = guestHardwareOf(image.properties ?? {}, flavor.extraSpecs ?? {}, vcpus);
  return {
    id,
    vcpus,
    memoryMb,
    diskGb,
    diskTag: diskTag ?? undefined,
    localDisks,
    image,
    kernel: image.kernel,
    ramdisk: image.ramdisk,
    kernelCommandLine: image.properties?.['os_command_line'],
    hardware,
    rescue: rescueImage ?? undefined,
    rescueDevice: rescueDeviceOf(rescueImage?.properties ?? {}, hardware.machine),
    nics: nics.map((nic) => ({ ...nic, model: hardware.nicModel })),
    networkNamespace: namespace,
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
