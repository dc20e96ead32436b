/** What the images service is told of a node's image: the .json beside it. */

/** GB and MB that a node needs; masters want twice the memory. */
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
