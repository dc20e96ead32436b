/** Images with the openstack client: those that a project lists, and those that it shares. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { passwordVariables } from '../support/login-variables.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let admin: OpenStackClient;
let demo: OpenStackClient;
/** A user of another project. */
let guest: OpenStackClient;
let guests: string;
let data: string;
let folder: string;

/** The names of the images that `openstack image list` shows with these arguments. */
async function listed(args: readonly string[], client = demo): Promise<unknown[]> {
  const rows = await client.json<Fields[]>('image', 'list', '--sort', 'name:asc', ...args);
  return rows.map(({ Name }) => Name);
}

withProject(async (own) => {
  ({ admin, demo, folder } = own);
  data = join(folder, 'data.raw');
  await writeFile(data, 'some data');
  guests = (await admin.text(...words`project create guests -f value -c id`)).trim();
  await admin.text(...words`user create --password secret guest`);
  await admin.text(...words`role add --user guest --project guests member`);
  guest = admin.with(
    passwordVariables(own.cloud.url, ['guest', 'secret'], { OS_PROJECT_NAME: 'guests' }),
  );
});

describe('the openstack client lists images', () => {
  beforeAll(async () => {
    const create = (args: readonly string[]): Promise<string> =>
      demo.text('image', 'create', ...words`--tag list`, ...args);
    await create(words`--tag one --property shelf=top ant`);
    await create(words`--tag one --tag two --property shelf=top --private bee`);
    await create(words`--community cat`);
    await create(words`dog`);
    await demo.text(...words`image set --hidden dog`);
    await demo.reading(data).text(...words`image create --disk-format raw --tag list elk`);
  }, 5 * MINUTES);

  it.each([
    ['by name', words`--name bee`, ['bee']],
    ['by status', words`--status active`, ['elk']],
    ['by tags', words`--tag one --tag two`, ['bee']],
    ['by property', words`--property shelf=top`, ['ant', 'bee']],
    ['that are private', words`--private`, ['bee']],
    ["of the community, the project's own among them", words`--community`, ['cat']],
    ['that are shared', words`--shared`, ['ant', 'elk']],
    ['that are hidden', words`--hidden`, ['dog']],
    ['of every visibility', words`--all`, ['ant', 'bee', 'cat', 'elk']],
    ['in an order', words`--sort status:asc,name:desc`, ['elk', 'cat', 'bee', 'ant']],
    // The client then asks for one page only, and sorts that itself.
    ['as many as are asked for, the newest', words`--limit 2`, ['cat', 'elk']],
    ['after one, and so older than it', words`--marker cat`, ['ant', 'bee']],
  ])(
    '%s',
    async (_, args, expected) => {
      expect(await listed([...words`--tag list`, ...args])).toEqual(expected);
    },
    10 * MINUTES,
  );

  it(
    'of the community of another project only where it asks for them',
    async () => {
      expect(await listed(words`--name cat`, guest)).toEqual([]);
      expect(await listed(words`--name cat --community`, guest)).toEqual(['cat']);
      expect(await listed(words`--tag list --all`, guest)).toEqual(['cat']);
    },
    10 * MINUTES,
  );

  it(
    'with all that there is to them',
    async () => {
      const [elk] = await demo.json<Fields[]>(...words`image list --long --name elk`);
      expect(elk).toMatchObject({
        Name: 'elk',
        'Disk Format': 'raw',
        'Container Format': 'bare',
        Size: 9,
        Checksum: '1e50210a0202497fb79bc38b6ade6c34',
        'Hash Algorithm': 'sha512',
        Visibility: 'shared',
        Protected: false,
        Tags: ['list'],
      });
    },
    10 * MINUTES,
  );
});

describe('the openstack client shares an image', () => {
  let gift: string;

  const members = (client: OpenStackClient): Promise<Fields[]> =>
    client.json<Fields[]>(...words`image member list ${gift}`);

  beforeAll(async () => {
    const create = words`image create --disk-format raw --shared gift -f value -c id`;
    gift = (await demo.reading(data).text(...create)).trim();
  }, 5 * MINUTES);

  it(
    'with a project, which finds it once it accepts it',
    async () => {
      expect(await guest.refusal(...words`image show ${gift}`)).toContain('No Image found');
      const member = { 'Image ID': gift, 'Member ID': guests };
      const added = await demo.json<Fields>(...words`image add project gift ${guests}`);
      expect(added).toMatchObject({ image_id: gift, member_id: guests, status: 'pending' });
      expect(await members(demo)).toEqual([{ ...member, Status: 'pending' }]);
      expect(await listed([], guest)).not.toContain('gift');
      expect(await listed(words`--shared --member-status pending`, guest)).toEqual(['gift']);
      await guest.text(...words`image set --accept ${gift}`);
      expect(await listed([], guest)).toContain('gift');
      expect(await listed(words`--shared --member-status pending`, guest)).toEqual([]);
      expect(await members(guest)).toEqual([{ ...member, Status: 'accepted' }]);
      expect(await demo.json<Fields>(...words`image member get gift ${guests}`)).toMatchObject({
        member_id: guests,
        status: 'accepted',
      });
    },
    10 * MINUTES,
  );

  it(
    'that the project can save, and cannot change, share or delete',
    async () => {
      await guest.text(...words`image save --file ${join(folder, 'gift')} gift`);
      for (const args of [
        words`image set --name mine gift`,
        words`image add project gift ${guests}`,
        words`image remove project gift ${guests}`,
        words`image delete gift`,
      ]) {
        expect(await guest.refusal(...args)).toMatch(/403: .*Only the project that owns image/);
      }
    },
    10 * MINUTES,
  );

  it.each([
    ['--reject', 'rejected'],
    ['--pending', 'pending'],
  ])(
    'which the project takes out of its list again with %s',
    async (option, status) => {
      await guest.text('image', 'set', option, gift);
      expect(await listed([], guest)).not.toContain('gift');
      expect(await members(demo)).toEqual([expect.objectContaining({ Status: status })]);
    },
    10 * MINUTES,
  );

  it(
    'no further than its owner says, who cannot accept it for the other',
    async () => {
      expect(await demo.refusal(...words`image set --accept --project ${guests} gift`)).toContain(
        '403: ',
      );
      expect(await demo.refusal(...words`image add project gift ${guests}`)).toContain('409: ');
      await demo.text(...words`image remove project gift ${guests}`);
      expect(await guest.refusal(...words`image show ${gift}`)).toContain('No Image found');
      expect(await demo.refusal(...words`image add project bee ${guests}`)).toMatch(
        /403: .*private/,
      );
    },
    10 * MINUTES,
  );
});
