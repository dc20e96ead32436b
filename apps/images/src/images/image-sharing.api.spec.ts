/** Access to images of other projects and of members, as a table. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { TestImages, type WireImage } from '../images.fixture.js';

const VISIBILITIES = ['public', 'community', 'shared', 'private'] as const;
type Visibility = (typeof VISIBILITIES)[number];

const CALLERS = [
  'owner',
  'pending member',
  'accepted member',
  'rejected member',
  'stranger',
  'admin',
  'service',
] as const;
type Caller = (typeof CALLERS)[number];

let images: TestImages;
const tokens = new Map<Caller, string>();
const ids = new Map<Visibility, string>();

beforeAll(async () => {
  images = await TestImages.start();
  tokens.set('owner', images.member);
  tokens.set('stranger', images.stranger);
  tokens.set('admin', images.admin);
  tokens.set('service', images.service);
  const members: [string, string][] = [];
  for (const status of ['pending', 'accepted', 'rejected'] as const) {
    const projectId = newId();
    const token = await images.tokens.issue(['member'], { projectId });
    tokens.set(`${status} member`, token);
    members.push([projectId, status]);
  }
  for (const visibility of VISIBILITIES) {
    const { id } = await images.createActive('bytes', { name: visibility });
    ids.set(visibility, id);
    // Members are added while it is shared; with another visibility they mean nothing.
    for (const [project, status] of members) {
      await images.share(id, project);
      await images.answer(id, project, status, tokens.get(`${status as 'pending'} member`) ?? '');
    }
    await change(id, visibility, images.admin);
  }
});
afterAll(() => images.stop());

async function change(id: string, visibility: string, token: string): Promise<number> {
  const { status } = await images.client.patch(`/v2/images/${id}`, {
    token,
    headers: { 'Content-Type': 'application/openstack-images-v2.1-json-patch' },
    body: JSON.stringify([{ op: 'replace', path: '/visibility', value: visibility }]),
  });
  return status;
}

/** The answers to a caller's reads and changes. */
const outcomes: Readonly<Record<Visibility, Readonly<Record<Caller, [number, number]>>>> = {
  public: {
    owner: [200, 200],
    'pending member': [200, 403],
    'accepted member': [200, 403],
    'rejected member': [200, 403],
    stranger: [200, 403],
    admin: [200, 200],
    service: [200, 200],
  },
  community: {
    owner: [200, 200],
    'pending member': [200, 403],
    'accepted member': [200, 403],
    'rejected member': [200, 403],
    stranger: [200, 403],
    admin: [200, 200],
    service: [200, 200],
  },
  shared: {
    owner: [200, 200],
    'pending member': [200, 403],
    'accepted member': [200, 403],
    'rejected member': [200, 403],
    stranger: [404, 404],
    admin: [200, 200],
    service: [200, 200],
  },
  private: {
    owner: [200, 200],
    'pending member': [404, 404],
    'accepted member': [404, 404],
    'rejected member': [404, 404],
    stranger: [404, 404],
    admin: [200, 200],
    service: [200, 200],
  },
};

const table = VISIBILITIES.flatMap((visibility) =>
  CALLERS.map((caller) => {
    const [read, write] = outcomes[visibility][caller];
    return { visibility, caller, read, write };
  }),
);

describe('an image', () => {
  it.each(table)('that is $visibility answers $read when the $caller reads it', async (row) => {
    const { visibility, caller, read } = row;
    const path = `/v2/images/${ids.get(visibility) ?? ''}`;
    const token = tokens.get(caller);
    const shown = await images.client.get(path, { token });
    const data = await images.client.get(`${path}/file`, { token });
    expect([shown.status, data.status]).toEqual([read, read]);
  });

  it.each(table)('that is $visibility answers $write when the $caller changes it', async (row) => {
    const { visibility, caller, write } = row;
    const path = `/v2/images/${ids.get(visibility) ?? ''}`;
    const token = tokens.get(caller);
    const renamed = await images.client.patch(path, {
      token,
      headers: { 'Content-Type': 'application/openstack-images-v2.1-json-patch' },
      body: JSON.stringify([{ op: 'replace', path: '/name', value: visibility }]),
    });
    const tagged = await images.client.put(`${path}/tags/one`, { token });
    expect(renamed.status).toBe(write);
    expect(tagged.status).toBe(write === 200 ? 204 : write);
  });

  it.each(table)('that is $visibility is deleted only if the $caller may', async (row) => {
    const { visibility, caller, write } = row;
    const token = tokens.get(caller);
    // A separate image for each caller.
    const own = { visibility, owner: images.project };
    const id = write === 200 ? (await images.create(own, images.admin)).id : ids.get(visibility);
    const { status } = await images.client.delete(`/v2/images/${id ?? ''}`, { token });
    expect(status).toBe(write === 200 ? 204 : write);
  });
});

const lists: readonly (readonly [Caller, string, readonly Visibility[]])[] = [
  ['owner', '', ['public', 'community', 'shared', 'private']],
  ['owner', 'visibility=shared', ['shared']],
  ['owner', 'member_status=rejected', ['public', 'community', 'shared', 'private']],
  ['pending member', '', ['public']],
  ['accepted member', '', ['public', 'shared']],
  ['rejected member', '', ['public']],
  ['stranger', '', ['public']],
  ['admin', '', ['public', 'shared', 'private']],
  ['service', '', ['public', 'shared', 'private']],

  ['pending member', 'visibility=shared', []],
  ['accepted member', 'visibility=shared', ['shared']],
  ['rejected member', 'visibility=shared', []],
  ['stranger', 'visibility=shared', []],
  ['admin', 'visibility=shared', ['shared']],

  ['pending member', 'visibility=all', ['public', 'community']],
  ['accepted member', 'visibility=all', ['public', 'community', 'shared']],
  ['rejected member', 'visibility=all', ['public', 'community']],
  ['stranger', 'visibility=all', ['public', 'community']],
  ['admin', 'visibility=all', ['public', 'community', 'shared', 'private']],

  ['pending member', 'member_status=pending', ['public', 'shared']],
  ['pending member', 'member_status=accepted', ['public']],
  ['pending member', 'member_status=rejected', ['public']],
  ['pending member', 'member_status=all', ['public', 'shared']],
  ['accepted member', 'member_status=pending', ['public']],
  ['accepted member', 'member_status=accepted', ['public', 'shared']],
  ['accepted member', 'member_status=rejected', ['public']],
  ['accepted member', 'member_status=all', ['public', 'shared']],
  ['rejected member', 'member_status=pending', ['public']],
  ['rejected member', 'member_status=accepted', ['public']],
  ['rejected member', 'member_status=rejected', ['public', 'shared']],
  ['rejected member', 'member_status=all', ['public', 'shared']],
  ['stranger', 'member_status=all', ['public']],
  ['admin', 'member_status=pending', ['public', 'shared', 'private']],

  ['pending member', 'member_status=pending&visibility=shared', ['shared']],
  ['accepted member', 'member_status=pending&visibility=shared', []],
  ['rejected member', 'member_status=all&visibility=shared', ['shared']],
  ['stranger', 'member_status=all&visibility=shared', []],
];

describe('a list', () => {
  it.each(lists)('for the %s, with "%s", has %j', async (caller, query, expected) => {
    const { body } = await images.client.get(`/v2/images?${query}&sort_dir=asc`, {
      token: tokens.get(caller),
    });
    const names = (body as { images: WireImage[] }).images.map(({ name }) => name);
    expect(names).toEqual(expected);
  });

  it('accepts a shared image as marker, whatever its member status', async () => {
    const { status } = await images.client.get(`/v2/images?marker=${ids.get('shared') ?? ''}`, {
      token: tokens.get('pending member'),
    });
    expect(status).toBe(200);
  });
});
