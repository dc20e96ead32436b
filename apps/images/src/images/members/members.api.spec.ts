import { settle } from '@cumulet/testing/settle';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, TestImages } from '../../images.fixture.js';

let images: TestImages;
let id: string;
let project: string;
let member: string;

beforeAll(async () => {
  images = await TestImages.start({ imageMemberQuota: 3 });
  project = newId();
  member = await images.tokens.issue(['member'], { projectId: project });
});
afterAll(() => images.stop());
beforeEach(async () => {
  ({ id } = await images.create());
});

function list(token: string, of = id): Promise<TestResponse> {
  return images.client.get(`/v2/images/${of}/members`, { token });
}

function show(of: string, token: string): Promise<TestResponse> {
  return images.client.get(`/v2/images/${id}/members/${of}`, { token });
}

function remove(of: string, token: string): Promise<TestResponse> {
  return images.client.delete(`/v2/images/${id}/members/${of}`, { token });
}

async function membersSeenBy(token: string): Promise<string[]> {
  const { body } = await list(token);
  const { members } = body as { members: { member_id: string }[] };
  return members.map((one) => one.member_id).sort();
}

describe('POST /v2/images/{image_id}/members', () => {
  it('shares the image at once, and lists it once accepted', async () => {
    const response = await images.share(id, project);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      member_id: project,
      image_id: id,
      status: 'pending',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated_at: (response.body as { created_at: string }).created_at,
      schema: '/v2/schemas/member',
    });
    expect(await images.show(id, member)).toMatchObject({ id });
  });

  it('lets an admin share the image of another project', async () => {
    expect((await images.share(id, project, images.admin)).status).toBe(200);
  });

  it('answers 404 to callers who may not see the image', async () => {
    expect((await images.share(id, project, images.stranger)).status).toBe(404);
  });

  it('answers 403 to a member', async () => {
    await images.share(id, project);
    const response = await images.share(id, newId(), member);
    expect(response.status).toBe(403);
    expect(errorOf(response).message).toBe(`Only the project that owns image ${id} may share it.`);
  });

  it.each(['private', 'community'])('answers 403 for a %s image', async (visibility) => {
    const image = await images.create({ visibility });
    const response = await images.share(image.id, project);
    expect(response.status).toBe(403);
    expect(errorOf(response).message).toBe(
      `Only shared images have members; image ${image.id} is ${visibility}.`,
    );
  });

  it('answers 409 for an existing member', async () => {
    await images.share(id, project);
    const response = await images.share(id, project);
    expect(response.status).toBe(409);
    expect(errorOf(response).message).toContain(project);
  });

  it('answers 413 once the image has the maximum number of members', async () => {
    for (let at = 0; at < 3; at += 1) await images.share(id, newId());
    const response = await images.share(id, project);
    expect(response.status).toBe(413);
    expect(errorOf(response).message).toBe(
      `Image ${id} is shared with 3 projects, which is the maximum.`,
    );
    await expect(images.create()).resolves.toBeDefined();
  });

  it('does not let two requests take the last place', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => images.share(id, newId())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  });

  it.each([
    ['nobody', {}],
    ['an empty name', { member: '' }],
    ['a number', { member: 7 }],
    ['a name that is too long', { member: 'x'.repeat(256) }],
    ['a list', []],
  ])('answers 400 to %s', async (_what, body) => {
    const { status } = await images.client.post(`/v2/images/${id}/members`, {
      token: images.member,
      body,
    });
    expect(status).toBe(400);
  });
});

describe('GET /v2/images/{image_id}/members', () => {
  it('lists all members to the owner, and to a member only itself', async () => {
    const other = newId();
    await images.share(id, other);
    await images.share(id, project);
    const all = [other, project].sort();
    expect(await membersSeenBy(images.reader)).toEqual(all);
    expect(await membersSeenBy(images.admin)).toEqual(all);
    expect(await membersSeenBy(member)).toEqual([project]);
    expect((await list(images.reader)).body).toMatchObject({ schema: '/v2/schemas/members' });
  });

  it('answers 404 to strangers, and 403 if the image is not shared', async () => {
    expect(errorOf(await list(images.stranger))).toEqual({
      key: 'itemNotFound',
      code: 404,
      message: `No image found with ID ${id}.`,
    });
    const { id: own } = await images.create({ visibility: 'private' });
    const refused = { key: 'forbidden', code: 403 };
    expect(errorOf(await list(images.reader, own))).toEqual({
      ...refused,
      message: `Only shared images have members; image ${own} is private.`,
    });
    const { id: published } = await images.create({ visibility: 'community' });
    expect(errorOf(await list(images.stranger, published))).toEqual({
      ...refused,
      message: `Only shared images have members; image ${published} is community.`,
    });
  });
});

describe('GET /v2/images/{image_id}/members/{member_id}', () => {
  it('shows a member to the owner and to itself', async () => {
    await images.share(id, project);
    for (const token of [images.reader, images.admin, member]) {
      expect((await show(project, token)).body).toMatchObject({ member_id: project });
    }
  });

  it('answers 404 for another member, a missing member, and to strangers', async () => {
    const other = newId();
    await images.share(id, project);
    await images.share(id, other);
    const answers = [
      await show(other, member),
      await show(newId(), images.reader),
      await show(project, images.stranger),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('answers 404 if the image is no longer shared', async () => {
    await images.share(id, project);
    await images.client.patch(`/v2/images/${id}`, {
      token: images.member,
      headers: { 'Content-Type': 'application/openstack-images-v2.1-json-patch' },
      body: '[{"op": "replace", "path": "/visibility", "value": "private"}]',
    });
    expect((await show(project, images.reader)).status).toBe(404);
    expect((await show(project, member)).status).toBe(404);
  });
});

describe('PUT /v2/images/{image_id}/members/{member_id}', () => {
  it.each(['accepted', 'rejected', 'pending'])('lets the member set %s', async (status) => {
    await images.share(id, project);
    const response = await images.answer(id, project, status, member);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ member_id: project, status });
  });

  it('accepts extra fields, such as the member that openstacksdk sends', async () => {
    await images.share(id, project);
    const { status, body } = await images.client.put(`/v2/images/${id}/members/${project}`, {
      token: member,
      body: { member: project, status: 'accepted', more: 1 },
    });
    expect([status, body]).toEqual([200, expect.objectContaining({ status: 'accepted' })]);
  });

  it('lets an admin set it, and not the owner', async () => {
    await images.share(id, project);
    expect((await images.answer(id, project, 'accepted', images.admin)).status).toBe(200);
    const response = await images.answer(id, project, 'rejected', images.member);
    expect(response.status).toBe(403);
    expect((await show(project, images.reader)).body).toMatchObject({ status: 'accepted' });
  });

  it('answers 404 for another member, a missing member, and to strangers', async () => {
    const other = newId();
    await images.share(id, project);
    await images.share(id, other);
    const answers = [
      await images.answer(id, other, 'accepted', member),
      await images.answer(id, newId(), 'accepted', images.admin),
      await images.answer(id, project, 'accepted', images.stranger),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it.each([{ status: 'late' }, {}, { status: null }])('answers 400 to %j', async (body) => {
    await images.share(id, project);
    const { status } = await images.client.put(`/v2/images/${id}/members/${project}`, {
      token: member,
      body,
    });
    expect(status).toBe(400);
  });
});

describe('DELETE /v2/images/{image_id}/members/{member_id}', () => {
  it("revokes the member's access at once", async () => {
    await images.share(id, project);
    await images.answer(id, project, 'accepted', member);
    expect((await remove(project, images.member)).status).toBe(204);
    expect((await images.client.get(`/v2/images/${id}`, { token: member })).status).toBe(404);
  });

  it('answers 403 to the member itself, and 404 to strangers', async () => {
    await images.share(id, project);
    expect((await remove(project, member)).status).toBe(403);
    expect((await remove(project, images.stranger)).status).toBe(404);
  });

  it('answers 404 for a missing member', async () => {
    expect((await remove(project, images.member)).status).toBe(404);
  });

  it('may have any name, storable or not', async () => {
    expect((await remove(encodeURIComponent(`a'b"--/`), images.member)).status).toBe(404);
    expect((await remove('%00', images.member)).status).toBe(400);
  });
});

it('deletes members with their image', async () => {
  await images.share(id, project);
  await images.client.delete(`/v2/images/${id}`, { token: images.member });
  await settle(images.app.dataSource);
  const sql = 'SELECT count(*)::int AS left FROM image_members WHERE image_id = $1';
  expect(await images.app.dataSource.query(sql, [id])).toEqual([{ left: 0 }]);
});
