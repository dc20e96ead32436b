/** Tasks of servers that an image is being made of. */
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../../compute.fixture.js';
import { expectError } from '../../errors.fixture.js';

let compute: ComputeFixture;
let admin: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
});
afterEach(() => compute.deleteServers());
afterAll(() => compute.stop());

const act = (id: string, body: object): Promise<TestResponse> => compute.act(id, body);

async function statusOf(id: string): Promise<string> {
  const { status, 'OS-EXT-STS:task_state': task } = await compute.show(id);
  return [status, task].filter((word) => typeof word === 'string').join(' ');
}

it.each<[string, object | null, string, string]>([
  ['createImage', { name: 'copy' }, 'image_pending_upload', 'image_uploading'],
  [
    'createBackup',
    { name: 'copy', backup_type: 'daily', rotation: 1 },
    'image_pending_upload',
    'image_uploading',
  ],
  ['shelve', null, 'shelving_image_pending_upload', 'shelving_image_uploading'],
])(
  'shows the progress of %s, which is refused a second time meanwhile',
  async (action, asked, ...tasks) => {
    const copying = compute.hypervisor.hold('copyDisk');
    const uploading = compute.hypervisor.hold('openCopy');
    const id = await compute.buildServer();
    await act(id, { [action]: asked });
    for (const [at, hold] of [copying, uploading].entries()) {
      await hold.reached;
      const task = tasks[at] ?? '';
      expect(await statusOf(id)).toBe(`ACTIVE ${task}`);
      const message = `Cannot 'createImage' instance ${id} while it is in task_state ${task}`;
      const second = await act(id, { createImage: { name: 'second' } });
      expectError(second, 409, 'conflictingRequest', message);
      const path = (word: string): string => `/servers?task_state=${word}&all_tenants=1`;
      const listed = async (word: string): Promise<unknown> =>
        (await compute.client.get(path(word), { token: admin })).body;
      expect(await listed(task)).toMatchObject({ servers: [{ id }] });
      expect(await listed('image_snapshot_pending')).toMatchObject({ servers: [] });
      hold.release();
    }
    await compute.settle();
  },
);
