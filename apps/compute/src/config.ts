/** Compute's settings, read once from the environment. */
import { hostname } from 'node:os';
import { oldSecrets } from '@cumulet/common/config/secret-key';
import { identitySettings, serviceSettings } from '@cumulet/common/service/service-settings';
import {
  boolean,
  choice,
  drawnKey,
  folder,
  integer,
  optional,
  setting,
  text,
  url,
  type Setting,
  type Values,
} from '@cumulet/common/config/settings';

export const computeSettings = {
  ...serviceSettings('COMPUTE', 8774),
  ...identitySettings(),
  imagesUrl: url('CUMULET_IMAGES_URL', { about: "The images service's address, without /v2." }),
  networkUrl: optional(
    url('CUMULET_NETWORK_URL', {
      about: "The network service's address, without /v2.0; without one, servers have no networks.",
    }),
  ),
  secretKey: drawnKey(
    text('COMPUTE_SECRET_KEY', {
      about: 'Key that encrypts administrator passwords until their servers are built.',
      secret: true,
    }),
  ),
  oldSecretKeys: oldSecrets('COMPUTE_OLD_SECRET_KEYS', { of: 'COMPUTE_SECRET_KEY' }),
  metadataSecret: optional(
    text('CUMULET_METADATA_SECRET', {
      about:
        'Key that signs metadata requests which the network service forwards; without one, none are answered.',
      secret: true,
    }),
  ),
  oldMetadataSecrets: oldSecrets('CUMULET_OLD_METADATA_SECRETS', {
    of: 'CUMULET_METADATA_SECRET',
  }),
  host: text('CUMULET_HOST', {
    about: 'Name of this hypervisor host; each host runs one worker of this name.',
    default: hostname(),
  }),
  hypervisor: choice('COMPUTE_HYPERVISOR', ['auto', 'qemu', 'simulated'], {
    about:
      'Hypervisor: QEMU if installed and otherwise a simulation (auto), only QEMU, or a simulation.',
    default: 'auto',
  }),
  accelerator: choice('COMPUTE_ACCELERATOR', ['auto', 'tcg'], {
    about: 'tcg keeps guests from KVM, for hosts whose KVM does not work.',
    default: 'auto',
  }),
  qemuUser: optional(
    text('COMPUTE_QEMU_USER', {
      about: 'User that guests run as if compute runs as root; by default, each guest has its own.',
    }),
  ),
  cgroup: optional(
    text('COMPUTE_CGROUP', {
      about:
        'Delegated cgroup v2 with the controllers cpu and memory, as a path from the root, for the limits of guests; by default the group of compute, if that has no processes.',
    }),
  ),
  dataDir: folder('COMPUTE_DATA_DIR', {
    about:
      "Folder for the guests' disks (or the state of simulated guests) and the image cache; each host has its own.",
    default: '/var/lib/cumulet/compute',
    folder: 'compute',
  }),
  hostApiUrl: optional(
    url('COMPUTE_HOST_API_URL', {
      about: 'Address at which other processes reach this host for the consoles of its guests.',
    }),
  ),
  searchPath: text('PATH', { about: 'Folders to search for QEMU.', default: '/usr/bin' }),
  consoleBytes: integer('COMPUTE_CONSOLE_BYTES', {
    about: "Bytes to keep of a guest's console output.",
    default: 1_048_576,
    min: 4_096,
    max: 67_108_864,
  }),
  consoleTokenSeconds: integer('COMPUTE_CONSOLE_TOKEN_SECONDS', {
    about: 'Seconds for which the address of a console can be used, once.',
    default: 600,
    min: 5,
    max: 86_400,
  }),
  concurrency: integer('COMPUTE_CONCURRENCY', {
    about: 'Servers that a worker process works on at the same time.',
    default: 8,
    min: 1,
    max: 256,
  }),
  resumeGuests: boolean('COMPUTE_RESUME_GUESTS', {
    about: 'Start guests again after a reboot of their host.',
    default: true,
  }),
  keepDeletedDays: integer('COMPUTE_KEEP_DELETED_DAYS', {
    about: 'Days for which deleted servers remain in lists that ask for them, usage and actions.',
    default: 90,
    min: 0,
    max: 3_650,
  }),
  unusedImageSeconds: integer('COMPUTE_UNUSED_IMAGE_SECONDS', {
    about: 'Seconds after which a host removes an unused image from its cache; -1 for never.',
    default: 86_400,
    min: -1,
    max: 31_536_000,
  }),
  shelvedOffloadSeconds: integer('COMPUTE_SHELVED_OFFLOAD_SECONDS', {
    about: 'Seconds for which a shelved server keeps its place on its host; -1 for always.',
    default: 0,
    min: -1,
    max: 2_147_483,
  }),
  shutdownSeconds: integer('COMPUTE_SHUTDOWN_SECONDS', {
    about: 'Seconds that a guest has to shut down before its power is cut.',
    default: 60,
    min: 0,
    max: 3_600,
  }),
  resizeConfirmSeconds: integer('COMPUTE_RESIZE_CONFIRM_SECONDS', {
    about: 'Seconds after which a resize is confirmed automatically; 0 for never.',
    default: 0,
    min: 0,
    max: 31_536_000,
  }),
  resizeToSameHost: boolean('COMPUTE_RESIZE_TO_SAME_HOST', {
    about: 'Whether a resized server may stay on its host; if so, it stays if there is room.',
    default: true,
  }),
  cpuRatio: ratio(
    'COMPUTE_CPU_ALLOCATION_RATIO',
    'vCPUs that guests may have for each processor of a host.',
    16,
  ),
  ramRatio: ratio(
    'COMPUTE_RAM_ALLOCATION_RATIO',
    "Memory that guests may have, as a multiple of the host's.",
    1,
  ),
  diskRatio: ratio(
    'COMPUTE_DISK_ALLOCATION_RATIO',
    "Disk space that guests may have, as a multiple of the host's.",
    1,
  ),
  reservedMemoryMb: integer('COMPUTE_RESERVED_MEMORY_MB', {
    about: 'Memory of each host that is reserved for the host itself, in MiB.',
    default: 512,
    min: 0,
    max: 1_048_576,
  }),
  quotaInstances: quota('INSTANCES', 'Servers that a project may have', 10),
  quotaCores: quota('CORES', 'vCPUs that a project may have', 20),
  quotaRamMb: quota('RAM_MB', 'Memory in MiB that a project may have', 51_200),
  quotaMetadataItems: quota('METADATA_ITEMS', 'Metadata items that a server may have', 128),
  quotaServerGroups: quota('SERVER_GROUPS', 'Server groups that a project may have', 10),
  quotaServerGroupMembers: quota(
    'SERVER_GROUP_MEMBERS',
    'Servers that a server group may have',
    10,
  ),
  quotaInjectedFiles: quota('INJECTED_FILES', 'Injected files that a server may have', 5),
  quotaInjectedFileBytes: quota(
    'INJECTED_FILE_BYTES',
    'Bytes that an injected file may have',
    10_240,
  ),
  quotaInjectedPathBytes: quota(
    'INJECTED_PATH_BYTES',
    'Bytes that the path of an injected file may have',
    255,
  ),
};

function ratio(env: string, about: string, standard: number): Setting<number> {
  const more = `${about} The metadata of an aggregate overrides it.`;
  const options = { about: more, default: standard };
  return setting(env, 'a number above 0, at most 128', options, (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
    return value > 0 && value <= 128 ? value : undefined;
  });
}

function quota(name: string, what: string, standard: number): ReturnType<typeof integer> {
  return integer(`COMPUTE_QUOTA_${name}`, {
    about: `${what}; -1 for unlimited.`,
    default: standard,
    min: -1,
    max: 2_147_483_647,
  });
}

export type ComputeConfig = Values<typeof computeSettings>;
