/** The `personality` of servers, which every microversion once refused by name. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute();
});

afterAll(() => compute.stop());

interface File {
  readonly path: string;
  readonly contents: string;
}

/** A file of so many bytes, with a path of so many characters. */
const file = (bytes: number, path = 15): File => ({
  path: `/${'n'.repeat(path - 1)}`,
  contents: Buffer.alloc(bytes, 'x').toString('base64'),
});

const create = (personality: readonly object[], version = '2.1'): Promise<TestResponse> =>
  compute.client.post('/servers', {
    token: compute.token,
    headers: { 'OpenStack-API-Version': `compute ${version}` },
    body: {
      server: {
        name: 'web',
        imageRef: compute.images.bootable,
        flavorRef: '1',
        ...(version === '2.1' ? {} : { networks: 'none' }),
        personality,
      },
    },
  });

async function act(id: string, body: object): Promise<void> {
  await compute.act(id, body);
  await compute.settle();
}

describe('injected files', () => {
  it.each(['2.1', '2.56'])(
    'of a request for %s are on the config drive at each start',
    async (version) => {
      const files = [file(10_240), file(0, 255), ...Array.from({ length: 3 }, () => file(7))];
      const response = await create(files, version);
      expect(response.status).toBe(202);
      const { id } = (response.body as { server: { id: string } }).server;
      await compute.settle();
      const given = (): unknown =>
        compute.hypervisor.world.guest(id).startedWith?.configDrive?.files;
      expect(given()).toEqual(files);
      await act(id, { 'os-stop': null });
      compute.hypervisor.world.guest(id).startedWith = undefined;
      await act(id, { 'os-start': null });
      expect(given()).toEqual(files);
    },
  );

  it.each<[string, readonly object[], number, string]>([
    [
      'a sixth one',
      Array.from({ length: 6 }, () => file(1)),
      403,
      'Personality file limit exceeded, with 6 files: at most 5.',
    ],
    [
      'a path of 256 bytes',
      [file(1, 256)],
      403,
      'Personality file path is too long, with 256 bytes: at most 255.',
    ],
    [
      'more than 10 KiB',
      [{ ...file(10_241), path: '/etc/motd' }],
      403,
      'Personality file content of /etc/motd is too large, with 10241 bytes: at most 10240.',
    ],
    [
      'what is not base64',
      [{ path: '/etc/motd', contents: '%' }],
      400,
      'Invalid input: server.personality.0.contents must be base64.',
    ],
    ['no path', [{ contents: '' }], 400, 'Invalid input: server.personality.0.path is required.'],
    [
      'an owner',
      [{ ...file(1), owner: 'root' }],
      400,
      'Invalid input: server.personality.0.owner is not a property that this operation knows.',
    ],
  ])('are refused with %s', async (_, files, status, message) => {
    const before: unknown = await compute.app.dataSource.query('SELECT count(*) FROM servers');
    const response = await create(files);
    const key = status === 403 ? 'forbidden' : 'badRequest';
    expect([response.status, response.body]).toEqual([
      status,
      { [key]: { code: status, message } },
    ]);
    expect(await compute.app.dataSource.query('SELECT count(*) FROM servers')).toEqual(before);
  });

  it('ended with microversion 2.56', async () => {
    expect((await create([file(1)], '2.57')).body).toEqual({
      badRequest: {
        code: 400,
        message:
          'Invalid input: server.personality ended with microversion 2.56; the request is for 2.57. Use server.user_data.',
      },
    });
  });
});
