/** Who may see, read and change images, as a table. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorOf, TestImages, type WireImage } from '../images.fixture.js';

let images: TestImages;
const owned = new Map<string, string>();
const visibilities = ['public', 'community', 'shared', 'private'];

beforeAll(async () => {
  images = await TestImages.start();
  for (const visibility of visibilities) {
    const owner = images.project;
    const { id } = await images.create({ name: visibility, visibility, owner }, images.admin);
    await images.upload(id, `bytes of ${visibility}`, images.admin);
    owned.set(visibility, id);
  }
  await images.makeInOrder([...owned.values()]);
});
afterAll(() => images.stop());

type Caller = 'member' | 'reader' | 'stranger' | 'admin' | 'service';
const callers: Caller[] = ['member', 'reader', 'stranger', 'admin', 'service'];

function seesByRule(caller: Caller, visibility: string): boolean {
  return caller !== 'stranger' || visibility === 'public' || visibility === 'community';
}

const table = callers.flatMap((caller) =>
  visibilities.map((visibility) => ({ caller, visibility, sees: seesByRule(caller, visibility) })),
);

describe("an image of another project, or one's own", () => {
  it.each(table)('shows $caller a $visibility image: $sees', async (row) => {
    const id = owned.get(row.visibility) ?? '';
    const token = images[row.caller];
    const shown = await images.client.get(`/v2/images/${id}`, { token });
    const data = await images.client.get(`/v2/images/${id}/file`, { token });
    expect([shown.status, data.status]).toEqual(row.sees ? [200, 200] : [404, 404]);
  });

  it.each([
    ['member', '', ['private', 'shared', 'community', 'public']],
    ['stranger', '', ['public']],
    ['admin', '', ['private', 'shared', 'public']],
    ['service', '', ['private', 'shared', 'public']],
    ['stranger', '?visibility=community', ['community']],
    ['stranger', '?visibility=all', ['community', 'public']],
    ['stranger', '?visibility=private', []],
    ['stranger', '?visibility=shared', []],
    ['stranger', '?visibility=public', ['public']],
    ['member', '?visibility=shared', ['shared']],
    ['admin', '?visibility=private', ['private']],
    ['admin', '?visibility=all', ['private', 'shared', 'community', 'public']],
  ] as const)('lists to %s with %j', async (caller, query, expected) => {
    const response = await images.client.get(`/v2/images${query}`, { token: images[caller] });
    const { images: list } = response.body as { images: WireImage[] };
    expect(list.map(({ name }) => name)).toEqual(expected);
  });

  it.each([
    ['stranger', 'private', 404],
    ['stranger', 'public', 403],
    ['stranger', 'community', 403],
    ['reader', 'private', 403],
  ] as const)('refuses %s to change a %s image with %i', async (caller, visibility, status) => {
    const id = owned.get(visibility) ?? '';
    const token = images[caller];
    const deleted = await images.client.delete(`/v2/images/${id}`, { token });
    const uploaded = await images.upload(id, 'other bytes', token);
    expect([deleted.status, uploaded.status]).toEqual([status, status]);
    expect((await images.show(id)).status).toBe('active');
  });

  it('answers alike for invisible and missing images', async () => {
    const id = owned.get('private') ?? '';
    const hidden = await images.client.get(`/v2/images/${id}`, { token: images.stranger });
    const absent = '00000000-0000-4000-8000-00000000dead';
    const missing = await images.client.get(`/v2/images/${absent}`, { token: images.stranger });
    expect(errorOf(hidden).message.replace(id, absent)).toBe(errorOf(missing).message);
  });

  it('refuses an invisible image as marker', async () => {
    const marker = owned.get('private') ?? '';
    const response = await images.client.get(`/v2/images?marker=${marker}`, {
      token: images.stranger,
    });
    expect(response.status).toBe(400);
  });

  it.each(['admin', 'service'] as const)('lets the %s delete it', async (caller) => {
    const { id } = await images.create();
    const response = await images.client.delete(`/v2/images/${id}`, { token: images[caller] });
    expect(response.status).toBe(204);
  });

  it('is created by a service for the project that it names only', async () => {
    const { id } = await images.create({ owner: images.project }, images.service);
    expect(await images.show(id)).toMatchObject({ owner: images.project });
    expect((await images.upload(id, 'bytes', images.service)).status).toBe(204);
    const nobodys = await images.client.post('/v2/images', { token: images.service, body: {} });
    expect([nobodys.status, errorOf(nobodys).message]).toEqual([
      400,
      'Invalid input: owner is required of a service, which acts for other projects than its own.',
    ]);
  });
});
