/**
 * The hardware of an image's properties and a flavor's extra specs. Unsupported hardware is refused
 * by name rather than ignored. Pure. Public sources: Glance admin guide, "Useful image properties";
 * Nova admin guide, "Extra Specs".
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import {
  DISK_BUSES,
  NIC_MODELS,
  STANDARD_HARDWARE,
  VIDEO_MODELS,
  WATCHDOG_ACTIONS,
  type CpuTopology,
  type GuestHardware,
} from '../../hypervisor/ports/guest-hardware.js';
import {
  cpuLimitsOf,
  topologyOf,
  type Preferred,
  diskLimitsOf,
  isYes,
  numberOf,
  oneOf,
  type Texts,
} from './hardware-values.js';

const MAX_SERIAL_PORTS = 4;
const MACHINE = /^(pc|q35|pc-(i440fx|q35)-\d{1,2}\.\d{1,2})$/;
const CDROM_BUSES = ['scsi', 'sata', 'ide'] as const;

/** @throws InvalidInputError naming the unsupported property or extra spec */
export function guestHardwareOf(image: Texts, flavor: Texts, vcpus: number): GuestHardware {
  refuseUnsupported(image, flavor);
  const machine = machineOf(image);
  const diskBus = oneOf(image, 'hw_disk_bus', DISK_BUSES) ?? STANDARD_HARDWARE.diskBus;
  const cdromBus = oneOf(image, 'hw_cdrom_bus', [...CDROM_BUSES, 'virtio'] as const);
  for (const [name, bus] of Object.entries({ hw_disk_bus: diskBus, hw_cdrom_bus: cdromBus })) {
    if (bus === 'ide' && machine.includes('q35')) throw refused(name, bus, 'a q35 has no IDE');
  }
  const cpuLimits = cpuLimitsOf(flavor);
  return {
    diskBus,
    cdromBus: CDROM_BUSES.find((bus) => bus === cdromBus),
    nicModel: oneOf(image, 'hw_vif_model', NIC_MODELS) ?? STANDARD_HARDWARE.nicModel,
    machine,
    firmware: oneOf(image, 'hw_firmware_type', ['bios', 'uefi']) ?? 'bios',
    video: oneOf(image, 'hw_video_model', VIDEO_MODELS) ?? STANDARD_HARDWARE.video,
    videoMb: videoMbOf(image, flavor),
    inputBus: oneOf(image, 'hw_input_bus', ['usb', 'virtio']),
    serialPorts: serialPortsOf(image, flavor),
    guestAgent: isYes(image['hw_qemu_guest_agent']),
    ...(isYes(image['os_require_quiesce']) ? { requiresQuiesce: true } : {}),
    rng: rngOf(image, flavor),
    bootMenu: isYes(flavor['hw:boot_menu'] ?? image['hw_boot_menu']),
    watchdog: watchdogOf(image, flavor),
    topology: cpuTopologyOf(image, flavor, vcpus),
    diskLimits: diskLimitsOf(flavor),
    ...(Object.keys(cpuLimits).length > 0 ? { cpuLimits } : {}),
  };
}

/** The image's machine type. @throws InvalidInputError */
export function machineOf(image: Texts): string {
  const machine = image['hw_machine_type'];
  if (machine === undefined) return STANDARD_HARDWARE.machine;
  if (MACHINE.test(machine)) return machine;
  throw refused('hw_machine_type', machine, 'there are pc, q35 and their versions');
}

/** The flavor limits what the image may request. */
function videoMbOf(image: Texts, flavor: Texts): number | undefined {
  const wanted = numberOf(image, 'hw_video_ram');
  if (wanted === undefined) return undefined;
  const most = numberOf(flavor, 'hw_video:ram_max_mb') ?? 0;
  if (wanted <= most) return wanted;
  throw refused('hw_video_ram', wanted, `the flavor's hw_video:ram_max_mb is ${most}`);
}

/** The flavor's number, which also limits the image's. */
function serialPortsOf(image: Texts, flavor: Texts): number {
  const most = numberOf(flavor, 'hw:serial_port_count');
  const wanted = numberOf(image, 'hw_serial_port_count');
  if (wanted !== undefined && most !== undefined && wanted > most)
    throw refused('hw_serial_port_count', wanted, `the flavor's hw:serial_port_count is ${most}`);
  const ports = wanted ?? most ?? STANDARD_HARDWARE.serialPorts;
  if (ports >= 1 && ports <= MAX_SERIAL_PORTS) return ports;
  const name = wanted === undefined ? 'hw:serial_port_count' : 'hw_serial_port_count';
  throw refused(name, ports, `a machine has 1 to ${MAX_SERIAL_PORTS}`);
}

function rngOf(image: Texts, flavor: Texts): GuestHardware['rng'] {
  oneOf(image, 'hw_rng_model', ['virtio']);
  const allowed = flavor['hw_rng:allowed'];
  if (allowed !== undefined && !isYes(allowed)) return undefined;
  const bytes = numberOf(flavor, 'hw_rng:rate_bytes');
  const periodMs = numberOf(flavor, 'hw_rng:rate_period');
  return bytes === undefined ? {} : { bytes, periodMs: periodMs ?? 1000 };
}

/** The image takes precedence over the flavor. */
function watchdogOf(image: Texts, flavor: Texts): GuestHardware['watchdog'] {
  const actions = [...WATCHDOG_ACTIONS, 'disabled'] as const;
  const action =
    oneOf(image, 'hw_watchdog_action', actions) ?? oneOf(flavor, 'hw:watchdog_action', actions);
  return action === 'disabled' ? undefined : action;
}

/** The flavor takes precedence over the image. */
function cpuTopologyOf(image: Texts, flavor: Texts, vcpus: number): CpuTopology | undefined {
  const said = (prefix: string): Preferred => {
    const part = (name: string): number | undefined =>
      numberOf(flavor, `hw:cpu_${prefix}${name}`) ?? numberOf(image, `hw_cpu_${prefix}${name}`);
    return { sockets: part('sockets'), cores: part('cores'), threads: part('threads') };
  };
  const topology = topologyOf(vcpus, said(''), said('max_'));
  if (topology !== null) return topology;
  throw new InvalidInputError(
    `Invalid input: hw:cpu_max_sockets, hw:cpu_max_cores and hw:cpu_max_threads leave no topology for ${vcpus} vCPUs.`,
  );
}

function refused(name: string, value: string | number, why: string): InvalidInputError {
  return new InvalidInputError(`Invalid input: ${name} '${value}' is not offered: ${why}.`);
}

/** Whether a value is supported. */
type Supported = (value: string) => boolean;

const NEVER: Supported = () => false;
const NOT_ASKED: Supported = (value) => !isYes(value);
const only =
  (...values: readonly string[]): Supported =>
  (value) =>
    values.includes(value);

/**
 * Requirements that QEMU by itself does not meet: refused, since a server that relied on one would
 * not be what its owner expects; Nova's hosts without it refuse, too. By extra spec; image
 * properties have `_` for `:`.
 */
const UNSUPPORTED: Readonly<Record<string, Supported>> = {
  'accel:device_profile': NEVER,
  'hw:cpu_policy': only('shared'),
  'hw:cpu_realtime': NOT_ASKED,
  'hw:cpu_thread_policy': only('prefer'),
  'hw:ephemeral_encryption': NOT_ASKED,
  'hw:locked_memory': NOT_ASKED,
  'hw:mem_encryption': NOT_ASKED,
  'hw:mem_page_size': only('small', 'any'),
  'hw:numa_nodes': only('1'),
  'hw:pmem': NEVER,
  'hw:sound_model': NEVER,
  'hw:tpm_version': NEVER,
  'hw:viommu_model': NEVER,
  'os:secure_boot': only('disabled', 'optional'),
  'pci_passthrough:alias': NEVER,
};

/** @throws InvalidInputError naming the first */
function refuseUnsupported(image: Texts, flavor: Texts): void {
  for (const [name, isKept] of Object.entries(UNSUPPORTED)) {
    const property = name.replace(':', '_');
    for (const [key, value] of [
      [name, flavor[name]],
      [property, image[property]],
    ] as const) {
      if (value !== undefined && !isKept(value))
        throw new InvalidInputError(`Invalid input: ${key} '${value}' is not offered.`);
    }
  }
}
