/** Images with the openstack client: data that is staged and imported, and the tasks that tell of it. */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { OpenStackClient } from '../support/openstack-client.js';
import { outputOf } from '../support/run-program.js';
import { RunningCloud } from '../support/running-cloud.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
const MIB = 1024 * 1024;

type Fields = Readonly<Record<string, unknown>>;

let cloud: RunningCloud;
let admin: OpenStackClient;
let demo: OpenStackClient;
/** Serves `qcow2` at `/disk`, and nothing else. */
let web: Server;
let webUrl: string;
let qcow2: string;

const show = (image: string): Promise<Fields> => demo.json<Fields>('image', 'show', image);

function becomes(image: string, status: string): Promise<Fields> {
  return eventually(`${image} ${status}`, 3 * MINUTES, async () => {
    const fields = await show(image);
    return fields['status'] === status ? fields : undefined;
  });
}

/** Whether the image's data is what was imported. */
async function isSaved(image: string): Promise<boolean> {
  const file = join(cloud.folder, 'saved');
  await demo.text('image', 'save', '--file', file, image);
  return (await readFile(qcow2)).equals(await readFile(file));
}

function listen(): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url === '/disk') void readFile(qcow2).then((bytes) => response.end(bytes));
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  return once(server, 'listening').then(() => server);
}

beforeAll(async () => {
  web = await listen();
  const { port } = web.address() as AddressInfo;
  webUrl = `http://127.0.0.1:${port}`;
  cloud = await RunningCloud.startAgain({
    CUMULET_SEED_MICRO: 'false',
    IMAGES_WEB_DOWNLOAD_ALLOW_PRIVATE: 'true',
    IMAGES_WEB_DOWNLOAD_PORTS: String(port),
  });
  admin = await OpenStackClient.install(cloud.cloudsYaml, 'cumulet-admin');
  demo = admin.entry(cloud.cloudsYaml, 'cumulet');
  const raw = join(cloud.folder, 'disk.raw');
  qcow2 = join(cloud.folder, 'disk.qcow2');
  await writeFile(raw, Buffer.alloc(MIB, 'data'));
  await outputOf('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', raw, qcow2]);
}, 12 * MINUTES);

afterAll(async () => {
  await cloud.remove();
  web.close();
}, 5 * MINUTES);

describe('the openstack client imports', () => {
  it(
    'what it has staged',
    async () => {
      await demo.text(...words`image create --disk-format qcow2 staged`);
      await demo.text(...words`image stage --file ${qcow2} staged`);
      const { length } = await readFile(qcow2);
      expect(await show('staged')).toMatchObject({ status: 'uploading', size: length });
      await demo.text(...words`image import --method glance-direct staged`);
      expect(await becomes('staged', 'active')).toMatchObject({ virtual_size: MIB });
      expect(await isSaved('staged')).toBe(true);
    },
    10 * MINUTES,
  );

  it(
    'what it stages from its standard input, into the store that it names',
    async () => {
      await demo.text(...words`image create --disk-format qcow2 piped`);
      await demo.reading(qcow2).text(...words`image stage piped`);
      await demo.text(...words`image import --store file --disallow-failure piped`);
      await becomes('piped', 'active');
      expect(await isSaved('piped')).toBe(true);
    },
    10 * MINUTES,
  );

  it(
    'what it creates an image of, in one command',
    async () => {
      await demo.text(...words`image create --import --file ${qcow2} --disk-format qcow2 once`);
      await becomes('once', 'active');
      expect(await isSaved('once')).toBe(true);
    },
    10 * MINUTES,
  );

  it(
    'what is on the web',
    async () => {
      await demo.text(...words`image create --disk-format qcow2 fetched`);
      await demo.text(...words`image import --method web-download --uri ${webUrl}/disk fetched`);
      await becomes('fetched', 'active');
      expect(await isSaved('fetched')).toBe(true);
    },
    10 * MINUTES,
  );

  it(
    'to every store that there is',
    async () => {
      await demo.text(...words`image create --disk-format qcow2 everywhere`);
      await demo.text(...words`image stage --file ${qcow2} everywhere`);
      await demo.text(...words`image import --all-stores --allow-failure everywhere`);
      const { properties } = await becomes('everywhere', 'active');
      expect(properties).toMatchObject({ stores: 'file' });
    },
    10 * MINUTES,
  );
});

describe('an import that fails', () => {
  it(
    'leaves the image queued, with the reason, for another try',
    async () => {
      await demo.text(...words`image create --disk-format vmdk wrong`);
      await demo.text(...words`image import --method web-download --uri ${webUrl}/disk wrong`);
      const failed = await eventually('failure', 3 * MINUTES, async () => {
        const { status, properties } = await show('wrong');
        return status === 'queued' ? (properties as Fields) : undefined;
      });
      expect(failed).toMatchObject({
        os_glance_failed_import: 'file',
        os_glance_status_reason: 'The data is qcow2, but disk_format is vmdk.',
      });
      await demo.text(...words`image set --disk-format qcow2 wrong`);
      await demo.text(...words`image import --method web-download --uri ${webUrl}/disk wrong`);
      await becomes('wrong', 'active');
    },
    10 * MINUTES,
  );

  it(
    'says what the web server answered',
    async () => {
      await demo.text(...words`image create --disk-format qcow2 lost`);
      await demo.text(...words`image import --method web-download --uri ${webUrl}/none lost`);
      const reason = await eventually('failure', 3 * MINUTES, async () => {
        const { properties } = await show('lost');
        return (properties as Fields)['os_glance_status_reason'] as string | undefined;
      });
      expect(reason).toContain('404');
    },
    10 * MINUTES,
  );
});

describe('the openstack client is refused the import', () => {
  beforeAll(() => demo.text(...words`image create --disk-format qcow2 refused`), 5 * MINUTES);

  it.each([
    [
      'of what it has not staged',
      words`refused`,
      /only be used with an image in status 'uploading'/,
    ],
    [
      'of another cloud',
      words`--method glance-download --remote-region x --remote-image y refused`,
      /'glance-download' import method is not supported/,
    ],
    [
      'from one store to another',
      words`--method copy-image --all-stores staged`,
      /'copy-image' import method is not supported/,
    ],
  ])(
    '%s',
    async (_, args, reason) => {
      expect(await demo.refusal('image', 'import', ...args)).toMatch(reason);
    },
    10 * MINUTES,
  );
});

describe('the openstack client shows', () => {
  it(
    'how data can be imported, and where to',
    async () => {
      expect(await demo.json<Fields>(...words`image import info`)).toEqual({
        'import-methods': ['glance-direct', 'web-download'],
      });
      expect(await demo.json<Fields[]>(...words`image stores list`)).toEqual([
        expect.objectContaining({ ID: 'file', Default: true }),
      ]);
      expect(await admin.json<Fields[]>(...words`image stores list --detail`)).toEqual([
        expect.objectContaining({
          Properties: expect.objectContaining({ thin_provisioning: false }),
        }),
      ]);
    },
    10 * MINUTES,
  );

  it(
    'the tasks of imports, to administrators',
    async () => {
      const [failed] = await admin.json<Fields[]>(...words`image task list --status failure`);
      expect(failed).toMatchObject({ Type: 'api_image_import', Status: 'failure' });
      const ended = words`image task list --status success --limit 1`;
      const [task] = await admin.json<Fields[]>(...ended);
      const shown = await admin.json<Fields>(...words`image task show ${String(task?.['ID'])}`);
      expect(shown).toMatchObject({
        id: task?.['ID'],
        type: 'api_image_import',
        status: 'success',
        input: { import_req: { method: { name: expect.any(String) } } },
      });
      expect(await demo.refusal(...words`image task list`)).toMatch(/403: .*needs the role admin/);
    },
    10 * MINUTES,
  );

  it.each(['list', 'queue staged', 'delete staged'])(
    'that there is no cache: cached image %s',
    async (command) => {
      const { stderr } = await admin.run('cached', 'image', ...command.split(' '));
      expect(stderr).toMatch(/Image cache: .* is not supported/);
    },
    10 * MINUTES,
  );
});
