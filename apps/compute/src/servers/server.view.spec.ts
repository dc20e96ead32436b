import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Microversion } from '@cumulet/common/context/microversion';
import type { Server } from './server.entity.js';
import { serverView } from './server.view.js';

const ID = '0b3c0b9e-6f0e-4b7e-9d2c-2f9c3a1f5a10';
const IMAGE = '7d1c8f2a-3b4e-4c5d-8e6f-9a0b1c2d3e4f';
const BASE = 'http://cloud/compute';

const server = {
  id: asId(ID),
  projectId: asId('project'),
  userId: asId('user'),
  name: 'Web 1',
  hostname: 'web-1',
  description: 'the first',
  flavor: { id: '1', name: 'm1.tiny' },
  vcpus: 1,
  memoryMb: 512,
  diskGb: 1,
  imageId: IMAGE,
  snapshot: null,
  diskTag: null,
  localDisks: [],
  accessIpV4: null,
  accessIpV6: null,
  diskConfig: 'MANUAL',
  guestPassword: null,
  keypair: null,
  injectedFiles: [],
  image: { id: IMAGE, diskFormat: 'raw', sizeBytes: 512, sha512: 'x' },
  host: 'host-1',
  nic: 'none',
  addresses: [],
  securityGroups: [],
  metadata: { role: 'web' },
  tags: ['blue'],
  userData: 'IyEvYmluL3NoCg==',
  adminPassword: 'sealed',
  configDrive: true,
  reservationId: 'r-1',
  launchIndex: 0,
  rescueImage: null,
  returnsTo: null,
  guestOff: false,
  lockedBy: null,
  scheduling: {},
  triedHosts: [],
  zone: null,
  groupId: null,
  lockedReason: null,
  createdAt: new Date('2026-01-31T12:00:00.123Z'),
  updatedAt: new Date('2026-01-31T12:00:05.500Z'),
  launchedAt: new Date('2026-01-31T12:00:05.250Z'),
  state: 'active',
  previousState: 'building',
  stateSince: new Date('2026-01-31T12:00:09.900Z'),
  stateDeadline: null,
  stateReason: null,
  generation: 1,
} satisfies Server;

function shown(
  minor: number,
  changes: Partial<Server> = {},
  role = 'member',
): Record<string, unknown> {
  const ctx = new RequestContext({
    requestId: asId('req-1'),
    userId: asId('user'),
    projectId: asId('project'),
    roles: [role],
    manager: {} as EntityManager,
    microversion: new Microversion(2, minor),
    baseUrl: BASE,
  });
  const statuses = new Map([['host-1', 'UP']]);
  return Object.fromEntries(Object.entries(serverView(ctx, { ...server, ...changes }, statuses)));
}

const first = {
  id: ID,
  name: 'Web 1',
  status: 'ACTIVE',
  tenant_id: 'project',
  user_id: 'user',
  metadata: { role: 'web' },
  hostId: expect.stringMatching(/^[0-9a-f]{56}$/),
  image: { id: IMAGE, links: [{ rel: 'bookmark', href: `${BASE}/images/${IMAGE}` }] },
  flavor: { id: '1', links: [{ rel: 'bookmark', href: `${BASE}/flavors/1` }] },
  created: '2026-01-31T12:00:00Z',
  updated: '2026-01-31T12:00:09Z',
  addresses: {},
  accessIPv4: '',
  accessIPv6: '',
  links: [
    { rel: 'self', href: `${BASE}/v2.1/servers/${ID}` },
    { rel: 'bookmark', href: `${BASE}/servers/${ID}` },
  ],
  'OS-DCF:diskConfig': 'MANUAL',
  progress: 100,
  'OS-EXT-AZ:availability_zone': 'nova',
  config_drive: 'True',
  key_name: null,
  'OS-SRV-USG:launched_at': '2026-01-31T12:00:05.250000',
  'OS-SRV-USG:terminated_at': null,
  'OS-EXT-STS:task_state': null,
  'OS-EXT-STS:vm_state': 'active',
  'OS-EXT-STS:power_state': 1,
  'os-extended-volumes:volumes_attached': [],
};

const embedded = {
  flavor: {
    original_name: 'm1.tiny',
    vcpus: 1,
    ram: 512,
    disk: 1,
    ephemeral: 0,
    swap: 0,
    extra_specs: {},
  },
};

/** Additions and changes of each microversion for everyone, after those before it. */
const SINCE: [number, object][] = [
  [1, first],
  [3, {}],
  [9, { locked: false }],
  [16, {}],
  [19, { description: 'the first' }],
  [26, { tags: ['blue'] }],
  [47, embedded],
  [63, { trusted_image_certificates: null }],
  [71, { server_groups: [] }],
  [73, { locked_reason: null }],
  [90, { 'OS-EXT-SRV-ATTR:hostname': 'web-1' }],
  [96, { pinned_availability_zone: null }],
  [98, { image: { ...first.image, properties: {} } }],
  [100, { scheduler_hints: {} }],
];

const minors = SINCE.map(([minor]) => ({ minor }));

const expected = (until: number): object =>
  Object.assign(
    {},
    ...SINCE.filter(([minor]) => minor <= until).map(([, added]) => added),
  ) as object;

describe('a server on the wire', () => {
  it.each(minors)('as of 2.$minor has exactly what that version has', ({ minor }) => {
    expect(shown(minor)).toEqual(expected(minor));
  });

  it.each(minors.slice(1))('before 2.$minor has nothing of it', ({ minor }) => {
    expect(shown(minor - 1)).toEqual(expected(minor - 1));
  });
});

describe('an admin also sees', () => {
  const placement = {
    'OS-EXT-SRV-ATTR:host': 'host-1',
    'OS-EXT-SRV-ATTR:instance_name': `instance-${ID}`,
    'OS-EXT-SRV-ATTR:hypervisor_hostname': 'host-1',
  };
  const creation = {
    'OS-EXT-SRV-ATTR:reservation_id': 'r-1',
    'OS-EXT-SRV-ATTR:launch_index': 0,
    'OS-EXT-SRV-ATTR:hostname': 'web-1',
    'OS-EXT-SRV-ATTR:kernel_id': '',
    'OS-EXT-SRV-ATTR:ramdisk_id': '',
    'OS-EXT-SRV-ATTR:root_device_name': '/dev/vda',
    'OS-EXT-SRV-ATTR:user_data': 'IyEvYmluL3NoCg==',
  };

  it('where it runs', () => {
    expect(shown(1, {}, 'admin')).toEqual({ ...first, ...placement });
  });

  it('how it was made, since 2.3', () => {
    expect(shown(3, {}, 'admin')).toEqual({ ...first, ...placement, ...creation });
  });

  it('whether its host answers, since 2.16', () => {
    expect(shown(15, {}, 'admin')).not.toHaveProperty('host_status');
    expect(shown(16, {}, 'admin')).toMatchObject({ host_status: 'UP' });
    expect(shown(16, { host: null }, 'admin')).toMatchObject({ host_status: '' });
  });
});

describe('the status', () => {
  it.each<[Server['state'], string, string, string | null, number]>([
    ['scheduling', 'BUILD', 'building', 'scheduling', 0],
    ['building', 'BUILD', 'building', 'spawning', 0],
    ['active', 'ACTIVE', 'active', null, 1],
    ['stopping', 'ACTIVE', 'active', 'powering-off', 1],
    ['stopped', 'SHUTOFF', 'stopped', null, 4],
    ['starting', 'SHUTOFF', 'stopped', 'powering-on', 4],
    ['rebooting', 'REBOOT', 'active', 'rebooting', 1],
    ['hard-rebooting', 'HARD_REBOOT', 'active', 'rebooting_hard', 1],
    ['error', 'ERROR', 'error', null, 0],
  ])('of %s is %s', (state, status, vmState, taskState, powerState) => {
    expect(shown(1, { state })).toMatchObject({
      status,
      'OS-EXT-STS:vm_state': vmState,
      'OS-EXT-STS:task_state': taskState,
      'OS-EXT-STS:power_state': powerState,
    });
  });

  it('of a server that is being deleted is unchanged', () => {
    expect(shown(1, { state: 'deleting', previousState: 'stopped' })).toMatchObject({
      status: 'SHUTOFF',
      'OS-EXT-STS:task_state': 'deleting',
    });
  });
});

describe('a fault', () => {
  const failed: Partial<Server> = { state: 'error', stateReason: 'No valid host was found.' };

  it('says what went wrong, and when', () => {
    expect(shown(1, failed)).toMatchObject({
      fault: { message: 'No valid host was found.', code: 500, created: '2026-01-31T12:00:09Z' },
    });
  });

  it('takes the place of the progress', () => {
    expect(shown(1, failed)).toMatchObject({ progress: undefined });
  });

  it('is shown of a failed server only', () => {
    expect(shown(1)).toMatchObject({ fault: undefined });
  });
});

describe('never shown', () => {
  it('is the password', () => {
    expect(JSON.stringify(shown(96, {}, 'admin'))).not.toContain('sealed');
  });

  it('is the host, to others than an admin', () => {
    expect(JSON.stringify(shown(96))).not.toContain('host-1');
  });

  it('are two projects on one host as the same host', () => {
    expect(shown(1).hostId).not.toBe(shown(1, { projectId: asId('another') }).hostId);
  });
});

it('a server without a host or a launch has neither', () => {
  expect(shown(1, { state: 'building', host: null, launchedAt: null })).toMatchObject({
    hostId: '',
    progress: 0,
    'OS-EXT-AZ:availability_zone': '',
    'OS-SRV-USG:launched_at': null,
  });
});
