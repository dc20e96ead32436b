/** The README's first session, with the stock client and a real guest. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { OpenStackClient } from '../support/openstack-client.js';
import { RunningCloud } from '../support/running-cloud.js';

const MINUTES = 60_000;

interface ServerFields {
  readonly id: string;
  readonly status: string;
  readonly 'OS-EXT-STS:power_state': string | number;
}

describe('a first session with the openstack client', () => {
  let cloud: RunningCloud;
  let openstack: OpenStackClient;

  const server = (): Promise<ServerFields> => openstack.json('server', 'show', 'first');
  const consoleShows = (text: RegExp): Promise<string> =>
    eventually(`${String(text)} on the console`, 5 * MINUTES, async () => {
      const output = await openstack.text('console', 'log', 'show', 'first');
      return text.test(output) ? output : undefined;
    });
  const becomes = (status: string): Promise<ServerFields> =>
    eventually(status, 5 * MINUTES, async () => {
      const fields = await server();
      return fields.status === status ? fields : undefined;
    });

  beforeAll(async () => {
    cloud = await RunningCloud.start();
    openstack = await OpenStackClient.install(cloud.cloudsYaml, 'cumulet');
  }, 10 * MINUTES);

  afterAll(() => cloud.remove(), 5 * MINUTES);

  it('names the drivers that it chose, and a real hypervisor among them', () => {
    expect(cloud.output).toMatch(/hypervisor: QEMU \d/);
  });

  it(
    'issues a token',
    async () => {
      const token = await openstack.json<{ id: string; project_id: string }>('token', 'issue');
      expect(token.id.split('.')).toHaveLength(3);
      expect(token.project_id).toMatch(/^[0-9a-f]{32}$/);
    },
    10 * MINUTES,
  );

  it(
    'uploads an image',
    async () => {
      const file = join(cloud.folder, 'micro.qcow2');
      const image = await openstack.json<{ status: string; size: number }>(
        'image',
        'create',
        '--disk-format',
        'qcow2',
        '--container-format',
        'bare',
        '--file',
        file,
        'mine',
      );
      expect(await openstack.json('image', 'show', 'mine')).toMatchObject({ status: 'active' });
      expect(image).toMatchObject({ name: 'mine' });
    },
    10 * MINUTES,
  );

  it(
    'boots a server from it',
    async () => {
      const created = await openstack.json<ServerFields>(
        'server',
        'create',
        '--image',
        'mine',
        '--flavor',
        'm1.nano',
        '--nic',
        'none',
        '--wait',
        'first',
      );
      expect(created.status).toBe('ACTIVE');
      expect([...(await cloud.guests()).values()]).toEqual([created.id]);
    },
    10 * MINUTES,
  );

  it(
    'shows the boot of its kernel, its name and its login on the console',
    async () => {
      const output = await consoleShows(/first login:/);
      expect(output).toMatch(/Linux version \d/);
      expect(output).toMatch(/cumulet: hostname first/);
    },
    10 * MINUTES,
  );

  it(
    'lists it',
    async () => {
      const servers = await openstack.json<{ Name: string; Status: string; Image: string }[]>(
        'server',
        'list',
      );
      expect(servers).toEqual([
        expect.objectContaining({ Name: 'first', Status: 'ACTIVE', Image: 'mine' }),
      ]);
    },
    10 * MINUTES,
  );

  it(
    'stops it, and its process is gone',
    async () => {
      await openstack.text('server', 'stop', 'first');
      await becomes('SHUTOFF');
      expect(await cloud.guestProcesses()).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'starts it again',
    async () => {
      await openstack.text('server', 'start', 'first');
      await becomes('ACTIVE');
      expect(await cloud.guestProcesses()).toHaveLength(1);
    },
    10 * MINUTES,
  );

  it(
    'keeps it running over a restart of the cloud',
    async () => {
      const guests = await cloud.guests();
      expect(await cloud.stop()).toBe(0);
      expect(await cloud.guests()).toEqual(guests);
      await cloud.start();
      expect(await server()).toMatchObject({ status: 'ACTIVE' });
      expect(await cloud.guests()).toEqual(guests);
    },
    10 * MINUTES,
  );

  it(
    'is rebooted, and loses nothing with its image, which is deleted under it',
    async () => {
      const [before] = await cloud.guestProcesses();
      await openstack.text('image', 'delete', 'mine');
      expect(await cloud.guestProcesses()).toEqual([before]);
      await openstack.text('server', 'reboot', '--hard', '--wait', 'first');
      expect(await server()).toMatchObject({ status: 'ACTIVE' });
      const [after] = await cloud.guestProcesses();
      expect(after).not.toBe(before);
      expect(after).toBeDefined();
    },
    10 * MINUTES,
  );

  it(
    'says why where it refuses',
    async () => {
      const { exitCode, stderr } = await openstack.run('server', 'start', 'first');
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(
        /Cannot 'start' instance [0-9a-f-]{36} while it is in vm_state active/,
      );
    },
    10 * MINUTES,
  );

  it(
    'deletes it, and leaves nothing behind',
    async () => {
      await openstack.text('server', 'delete', '--wait', 'first');
      expect(await openstack.json('server', 'list')).toEqual([]);
      expect(await cloud.guestProcesses()).toEqual([]);
    },
    10 * MINUTES,
  );
});
