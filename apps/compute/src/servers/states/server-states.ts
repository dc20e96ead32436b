import type { StateDefinition } from '@cumulet/common/states/state-table';

/** What each state of a server means; those with a deadline (in seconds) are transitional. */
export const STATES = {
  scheduling: { about: 'Accepted; a host is being chosen.', deadline: 60 },
  building: {
    about: 'Its host fetches the image, makes the disk and starts the guest.',
    deadline: 900,
  },
  active: { about: 'The guest runs.' },
  stopping: {
    about: 'The guest was asked to shut down; its power is cut when it does not.',
    deadline: 300,
  },
  stopped: { about: 'The guest is off; its disk is kept.' },
  starting: { about: 'The guest is being started from its disk.', deadline: 300 },
  rebooting: { about: 'The guest shuts down by itself and is started again.', deadline: 300 },
  'hard-rebooting': { about: 'The power is cut and the guest started again.', deadline: 300 },
  pausing: { about: "The guest's processors are being stopped.", deadline: 300 },
  paused: { about: 'The guest stands still; its memory is kept by its machine.' },
  unpausing: { about: 'The guest is let go on.', deadline: 300 },
  suspending: { about: "The guest's memory is being written to its disk.", deadline: 600 },
  suspended: { about: 'The guest has no machine; its memory is on its disk.' },
  resuming: {
    about: 'The guest gets a machine again, with the memory that it had.',
    deadline: 600,
  },
  resizing: {
    about: 'The guest is shut down, its disk kept and grown, and it gets what its new flavor says.',
    deadline: 600,
  },
  migrating: {
    about: 'The guest is shut down, and its disks become images for another host.',
    deadline: 14_400,
  },
  arriving: {
    about: 'Its new host fetches those images, makes the disks and starts the guest.',
    deadline: 900,
  },
  'undoing-resize': { about: 'A resize that failed is taken back.', deadline: 600 },
  resized: { about: 'The guest has its new flavor; what it was is kept until that is confirmed.' },
  confirming: { about: 'What the server was before its resize is given up.', deadline: 300 },
  reverting: { about: 'The server becomes what it was before its resize.', deadline: 600 },
  rebuilding: {
    about: 'The guest is off, and gets a new disk from an image.',
    deadline: 900,
  },
  rescuing: { about: 'The guest is shut down, to boot another image.', deadline: 900 },
  rescued: { about: 'The guest runs from another image, with its own disk as the second.' },
  unrescuing: { about: 'The guest is booted from its own disk again.', deadline: 300 },
  snapshotting: {
    about: 'An image is being made of its disk while the guest runs.',
    deadline: 14_400,
  },
  'snapshotting-stopped': { about: 'An image is being made of its disk.', deadline: 14_400 },
  'snapshotting-paused': {
    about: 'An image is being made of its disk while the guest stands still.',
    deadline: 14_400,
  },
  'snapshotting-suspended': {
    about: 'An image is being made of its disk, without its memory.',
    deadline: 14_400,
  },
  shelving: {
    about: 'The guest shuts down, and an image is made of its disk.',
    deadline: 14_400,
  },
  'shelving-stopped': { about: 'An image is made of its disk.', deadline: 14_400 },
  'shelving-suspended': {
    about: 'An image is made of its disk; its memory will be gone with its host.',
    deadline: 14_400,
  },
  shelved: { about: 'It lives on as an image; its host still has it, without a machine.' },
  offloading: { about: 'Its host forgets it; its image is kept.', deadline: 300 },
  'shelved-offloaded': { about: 'It lives on as an image, and takes nothing of any host.' },
  'unshelve-scheduling': { about: 'It is wanted back; a host is being chosen.', deadline: 60 },
  unshelving: {
    about: 'Its new host fetches its image, makes the disk and starts the guest.',
    deadline: 900,
  },
  'unshelving-here': { about: 'The guest is being started where it was.', deadline: 300 },
  deleting: {
    about: 'The guest and its disk are being removed; then the row is.',
    deadline: 300,
  },
  error: { about: 'Something failed for good; `fault` says what. It can be deleted.' },
} as const satisfies Record<string, StateDefinition>;

export type ServerState = keyof typeof STATES;

export const ALL_STATES = Object.keys(STATES) as ServerState[];

/** All states but these. */
export function allBut(...left: readonly ServerState[]): ServerState[] {
  return ALL_STATES.filter((state) => !left.includes(state));
}

export const TRANSITIONAL_STATES = ALL_STATES.filter((state) => 'deadline' in STATES[state]);
