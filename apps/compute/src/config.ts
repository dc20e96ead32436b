/** Compute's settings, read once from the environment. */
import { hostname } from 'node:os';
import { identitySettings, serviceSettings } from '@cumulet/common/service/service-settings';
import {
  boolean,
  choice,
  drawnKey,
  folder,
  integer,
  loadSettings,
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
      about:
        'Key under which administrator passwords wait, encrypted, for their server to be built.',
      secret: true,
    }),
  ),
  metadataSecret: optional(
    text('CUMULET_METADATA_SECRET', {
      about:
        'Key under which the network service says which guest asks for its metadata; unset: none are answered.',
      secret: true,
    }),
  ),
  host: text('CUMULET_HOST', {
    about: 'Name of this hypervisor host; each host runs one worker of this name.',
    default: hostname(),
  }),
  hypervisor: choice('COMPUTE_HYPERVISOR', ['auto', 'qemu', 'simulated'], {
    about: 'What runs guests: QEMU where it is installed (auto), QEMU or nothing, or a simulation.',
    default: 'auto',
  }),
  accelerator: choice('COMPUTE_ACCELERATOR', ['auto', 'tcg'], {
    about: 'tcg forbids KVM where its probe is wrong.',
    default: 'auto',
  }),
  qemuUser: optional(
    text('COMPUTE_QEMU_USER', {
      about: 'User that guests run as where compute is root; by default, each has one of its own.',
    }),
  ),
  cgroup: optional(
    text('COMPUTE_CGROUP', {
      about:
        'Group of cgroup v2, from its root, that was delegated to compute with cpu and memory, to hold guests to their limits; by default its own, where that holds no processes.',
    }),
  ),
  dataDir: folder('COMPUTE_DATA_DIR', {
    about:
      "Folder of the guests' disks (of simulated guests, their state) and the image cache; each host has its own.",
    default: '/var/lib/cumulet/compute',
    folder: 'compute',
  }),
  hostApiUrl: optional(
    url('COMPUTE_HOST_API_URL', {
      about:
        'Address at which the other processes reach this host, for the consoles of its guests.',
    }),
  ),
  searchPath: text('PATH', { about: 'Folders that QEMU is looked for in.', default: '/usr/bin' }),
  consoleBytes: integer('COMPUTE_CONSOLE_BYTES', {
    about: "Bytes of a guest's console output that are kept.",
    default: 1_048_576,
    min: 4_096,
    max: 67_108_864,
  }),
  consoleTokenSeconds: integer('COMPUTE_CONSOLE_TOKEN_SECONDS', {
    about: 'Seconds for which the address of a console can be opened, once.',
    default: 600,
    min: 5,
    max: 86_400,
  }),
  concurrency: integer('COMPUTE_CONCURRENCY', {
    about: 'Servers that one worker process works on at the same time.',
    default: 8,
    min: 1,
    max: 256,
  }),
  resumeGuests: boolean('COMPUTE_RESUME_GUESTS', {
    about: 'Start guests again whose process is gone when the host comes back, as after a reboot.',
    default: true,
  }),
  keepDeletedDays: integer('COMPUTE_KEEP_DELETED_DAYS', {
    about: 'Days for which deleted servers stay in lists that ask for them, in usage and actions.',
    default: 90,
    min: 0,
    max: 3_650,
  }),
  unusedImageSeconds: integer('COMPUTE_UNUSED_IMAGE_SECONDS', {
    about:
      'Seconds after which a host removes an image from its cache that no guest uses; -1: never.',
    default: 86_400,
    min: -1,
    max: 31_536_000,
  }),
  shelvedOffloadSeconds: integer('COMPUTE_SHELVED_OFFLOAD_SECONDS', {
    about:
      'Seconds for which a shelved server keeps its place on its host; -1: until it is unshelved.',
    default: 0,
    min: -1,
    max: 2_147_483,
  }),
  shutdownSeconds: integer('COMPUTE_SHUTDOWN_SECONDS', {
    about: 'Seconds that a guest has to shut down by itself before its power is cut.',
    default: 60,
    min: 0,
    max: 3_600,
  }),
  resizeConfirmSeconds: integer('COMPUTE_RESIZE_CONFIRM_SECONDS', {
    about: 'Seconds after which a resize counts as confirmed; 0 leaves that to the client.',
    default: 0,
    min: 0,
    max: 31_536_000,
  }),
  resizeToSameHost: boolean('COMPUTE_RESIZE_TO_SAME_HOST', {
    about:
      'Whether a server that is resized may stay on its host; if so, it does where there is room.',
    default: true,
  }),
  cpuRatio: ratio(
    'COMPUTE_CPU_ALLOCATION_RATIO',
    'Virtual processors that may be given away for each processor of a host.',
    16,
  ),
  ramRatio: ratio(
    'COMPUTE_RAM_ALLOCATION_RATIO',
    "How much of a host's memory may be given away, as a multiple of what it has.",
    1,
  ),
  diskRatio: ratio(
    'COMPUTE_DISK_ALLOCATION_RATIO',
    "How much of a host's disk may be given away, as a multiple of what it has.",
    1,
  ),
  reservedMemoryMb: integer('COMPUTE_RESERVED_MEMORY_MB', {
    about: 'Memory of each host that is not given to guests, in MiB.',
    default: 512,
    min: 0,
    max: 1_048_576,
  }),
  quotaInstances: quota('INSTANCES', 'Servers that a project may have', 10),
  quotaCores: quota('CORES', 'Virtual processors that a project may have', 20),
  quotaRamMb: quota('RAM_MB', 'Memory in MiB that a project may have', 51_200),
  quotaMetadataItems: quota('METADATA_ITEMS', 'Items that the metadata of a server may have', 128),
  quotaServerGroups: quota('SERVER_GROUPS', 'Server groups that a project may have', 10),
  quotaServerGroupMembers: quota(
    'SERVER_GROUP_MEMBERS',
    'Servers that a server group may have',
    10,
  ),
  quotaInjectedFiles: quota('INJECTED_FILES', 'Files that a server may be given', 5),
  quotaInjectedFileBytes: quota(
    'INJECTED_FILE_BYTES',
    'Bytes that a file may have which a server is given',
    10_240,
  ),
  quotaInjectedPathBytes: quota(
    'INJECTED_PATH_BYTES',
    'Bytes that the path of a file may have which a server is given',
    255,
  ),
};

function ratio(env: string, about: string, standard: number): Setting<number> {
  const more = `${about} The metadata of aggregates may say another.`;
  const options = { about: more, default: standard };
  return setting(env, 'a number above 0, at most 128', options, (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
    return value > 0 && value <= 128 ? value : undefined;
  });
}

function quota(name: string, what: string, standard: number): ReturnType<typeof integer> {
  return integer(`COMPUTE_QUOTA_${name}`, {
    about: `${what}; -1 is without limit.`,
    default: standard,
    min: -1,
    max: 2_147_483_647,
  });
}

export type ComputeConfig = Values<typeof computeSettings>;

export function loadComputeConfig(env = process.env): ComputeConfig {
  return loadSettings(computeSettings, env);
}
