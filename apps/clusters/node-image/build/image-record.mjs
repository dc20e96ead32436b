/** The image's metadata for the images service: the .json beside it. */

/** GB of disk and MB of memory that a node needs; masters need twice the memory. */
const MIN_DISK = 5;
const MIN_RAM = 1024;

/** @param sha256 of the disk, in hex */
export function imageRecord(name, kubernetes, sha256) {
  return {
    name,
    disk_format: 'qcow2',
    container_format: 'bare',
    min_disk: MIN_DISK,
    min_ram: MIN_RAM,
    os_distro: 'cumulet-node',
    os_type: 'linux',
    os_version: '13',
    architecture: 'x86_64',
    kube_version: `v${kubernetes}`,
    hw_firmware_type: 'bios',
    sha256,
  };
}
