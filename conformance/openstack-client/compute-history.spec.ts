/** What the openstack client says of a server's past: actions, usage, deleted ones; images, shelving. */
import { describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

let admin: OpenStackClient;
let demo: OpenStackClient;

withProject((started) => {
  ({ admin, demo } = started);
});

type Row = Readonly<Record<string, unknown>>;

/** @returns its id */
async function createServer(name: string): Promise<string> {
  const { id } = await demo.json<{ id: string }>(
    ...words`server create --image micro --flavor m1.nano --nic none --wait ${name}`,
  );
  return id;
}

const statusOf = async (server: string): Promise<unknown> =>
  (await demo.json<Row>(...words`server show ${server}`))['status'];

describe('the openstack client and what was done to a server', () => {
  it(
    'lists it and shows it, also once the server is deleted',
    async () => {
      const id = await createServer('past');
      await demo.text(...words`server stop past`);
      await demo.text(...words`server delete --wait past`);
      const actions = await demo.json<Row[]>(...words`server event list ${id}`);
      expect(actions.map(({ Action }) => Action)).toEqual(['delete', 'stop', 'create']);
      const [{ 'Request ID': request } = {}] = actions.slice(-1);
      expect(
        await demo.json<Row>(...words`server event show ${id} ${String(request)}`),
      ).toMatchObject({
        action: 'create',
        events: [{ event: 'compute__do_build_and_run_instance', result: 'Success' }],
      });
      const deleted = await admin.json<Row[]>(...words`server list --deleted --all-projects`);
      expect(deleted).toContainEqual(expect.objectContaining({ ID: id, Status: 'DELETED' }));
      const changed = await demo.json<Row[]>(
        ...words`server list --changes-since 2020-01-01T00:00:00Z`,
      );
      expect(changed).toContainEqual(expect.objectContaining({ ID: id, Status: 'DELETED' }));
    },
    10 * MINUTES,
  );
});

describe('the openstack client and usage', () => {
  it(
    'shows that of a project, and lists that of all',
    async () => {
      await createServer('used');
      const usage = await demo.json<{ Servers: Row[] }>(...words`usage show`);
      expect(usage.Servers).toContainEqual(expect.objectContaining({ name: 'used', vcpus: 1 }));
      const all = await admin.json<Row[]>(...words`usage list`);
      const [{ project_id: project } = {}] = usage.Servers;
      expect(all.map(({ Project }) => Project)).toContain(project);
      await demo.text(...words`server delete --wait used`);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and images of servers', () => {
  it(
    'makes one, from which another server starts, and a backup',
    async () => {
      await createServer('source');
      await demo.text(...words`server image create --name copy --wait source`);
      const image = await demo.json<Row>(...words`image show copy`);
      expect(image).toMatchObject({ status: 'active', disk_format: 'qcow2' });
      await demo.text(
        ...words`server create --image copy --flavor m1.nano --nic none --wait second`,
      );
      expect(await statusOf('second')).toBe('ACTIVE');
      for (const name of ['monday', 'tuesday'])
        await demo.text(
          ...words`server backup create --name ${name} --type daily --rotate 1 --wait source`,
        );
      const images = await demo.json<Row[]>(...words`image list`);
      const names = images.map(({ Name }) => Name);
      expect(names).toContain('tuesday');
      expect(names).not.toContain('monday');
      await demo.text(...words`server delete --wait source second`);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and shelved servers', () => {
  it(
    'puts one away and brings it back',
    async () => {
      await createServer('away');
      await demo.text(...words`server shelve --wait away`);
      expect(await statusOf('away')).toBe('SHELVED_OFFLOADED');
      await demo.text(...words`server unshelve --wait away`);
      expect(await statusOf('away')).toBe('ACTIVE');
      await demo.text(...words`server delete --wait away`);
    },
    10 * MINUTES,
  );
});
