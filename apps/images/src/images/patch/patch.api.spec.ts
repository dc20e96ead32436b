import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, TestImages, type WireImage } from '../../images.fixture.js';

const OLDER = 'application/openstack-images-v2.0-json-patch';
const NEWER = 'application/openstack-images-v2.1-json-patch';

let images: TestImages;
let image: WireImage;

beforeAll(async () => {
  images = await TestImages.start();
});
afterAll(() => images.stop());
beforeEach(async () => {
  image = await images.create({ flavour: 'vanilla' });
});

function patch(
  body: unknown,
  { token = images.member, type = NEWER, id = image.id } = {},
): Promise<TestResponse> {
  return images.client.patch(`/v2/images/${id}`, {
    token,
    headers: { 'Content-Type': type },
    body: JSON.stringify(body),
  });
}

describe('PATCH /v2/images/{image_id}', () => {
  it('answers with the changed image', async () => {
    const response = await patch([
      { op: 'replace', path: '/name', value: 'two' },
      { op: 'add', path: '/os~1distro', value: 'debian' },
      { op: 'remove', path: '/flavour' },
    ]);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ name: 'two', 'os/distro': 'debian' });
    expect(response.body).not.toHaveProperty('flavour');
    expect(await images.show(image.id)).toEqual(response.body);
  });

  it('accepts the older form', async () => {
    const response = await patch([{ replace: '/name', value: 'two' }, { remove: '/flavour' }], {
      type: OLDER,
    });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ name: 'two' });
  });

  it('accepts a charset parameter', async () => {
    const type = `${NEWER.toUpperCase()}; charset=UTF-8`;
    expect((await patch([], { type })).status).toBe(200);
  });

  it('updates updated_at only if something changes', async () => {
    const row = async (): Promise<Date> => {
      const sql = 'SELECT updated_at FROM images WHERE id = $1';
      const rows: { updated_at: Date }[] = await images.app.dataSource.query(sql, [image.id]);
      return rows[0]?.updated_at ?? new Date(NaN);
    };
    await images.app.dataSource.query(
      `UPDATE images SET updated_at = now() - interval '1 minute' WHERE id = $1`,
      [image.id],
    );
    const before = await row();
    await patch([]);
    expect(await row()).toEqual(before);
    await patch([{ op: 'replace', path: '/name', value: 'two' }]);
    expect((await row()).getTime()).toBeGreaterThan(before.getTime());
  });

  it('changes nothing if one of the changes is invalid', async () => {
    const response = await patch([
      { op: 'replace', path: '/name', value: 'two' },
      { op: 'add', path: '/new', value: 'x' },
      { op: 'remove', path: '/nothing' },
    ]);
    expect(response.status).toBe(409);
    expect(errorOf(response).message).toBe("Property 'nothing' does not exist.");
    expect(await images.show(image.id)).toEqual(image);
  });

  it('loses none of many concurrent changes', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `property_${at}`);
    await Promise.all(names.map((name) => patch([{ op: 'add', path: `/${name}`, value: name }])));
    const expected = Object.fromEntries(names.map((name) => [name, name]));
    expect(await images.show(image.id)).toMatchObject(expected);
  });

  it('lets one of two concurrent removals succeed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => patch([{ op: 'remove', path: '/flavour' }])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  it.each([
    ['JSON', 'application/json'],
    ['the patch that everybody knows', 'application/json-patch+json'],
    ['bytes', 'application/octet-stream'],
    ['what nobody knows', 'x/y'],
  ])('answers 415 to %s, naming what it takes', async (_what, type) => {
    const response = await patch([], { type });
    expect(response.status).toBe(415);
    expect(errorOf(response)).toEqual({
      key: 'unsupportedMediaType',
      code: 415,
      message: `Content-Type of a change to an image must be one of ${OLDER}, ${NEWER}.`,
    });
    expect(response.headers.get('accept-patch')).toBe(`${OLDER}, ${NEWER}`);
  });

  it('answers 415 without a type and a body', async () => {
    const response = await images.client.patch(`/v2/images/${image.id}`, { token: images.member });
    expect(response.status).toBe(415);
  });

  it('authenticates before checking the type', async () => {
    expect((await patch([], { type: 'x/y', token: '' })).status).toBe(401);
  });

  it.each([
    ['malformed JSON', '[{', 'not valid JSON'],
    ['an object', '{}', 'the body must be a list of changes'],
    ['null', 'null', 'the body must be a list of changes'],
    ['nothing', '', 'the body must be a list of changes'],
    ['a change that is none', '[1]', 'each change must be an object'],
    ['to move', '[{"op": "move", "from": "/a", "path": "/b"}]', 'op must be one of add, replace'],
    ['to copy', '[{"op": "copy", "from": "/a", "path": "/b"}]', 'op must be one of add, replace'],
    ['to test', '[{"op": "test", "path": "/a", "value": "b"}]', 'op must be one of add, replace'],
    ['one tag more', '[{"op": "add", "path": "/tags/-", "value": "x"}]', 'no part of it'],
    ['a wrong value', '[{"op": "replace", "path": "/min_ram", "value": -1}]', 'min_ram must be'],
    [
      'a path that is none',
      '[{"op": "remove", "path": "flavour"}]',
      'must be a string that begins',
    ],
    ['a path to nothing', '[{"op": "remove", "path": "/"}]', 'must name something'],
    ['a half escape', '[{"op": "remove", "path": "/a~b"}]', 'must have only 0 or 1 after a ~'],
    [
      'a property of NUL',
      '[{"op": "add", "path": "/a\\u0000b", "value": "x"}]',
      'must have a name',
    ],
    [
      'a text of NUL',
      '[{"op": "add", "path": "/a", "value": "a\\u0000b"}]',
      'neither a null character',
    ],
  ])('answers 400 to %s', async (_what, body, message) => {
    const response = await images.client.patch(`/v2/images/${image.id}`, {
      token: images.member,
      headers: { 'Content-Type': NEWER },
      body,
    });
    expect(errorOf(response)).toEqual({
      key: 'badRequest',
      code: 400,
      message: expect.stringContaining(message),
    });
    expect(await images.show(image.id)).toEqual(image);
  });

  it('answers 413 to a body over the limit', async () => {
    const value = 'x'.repeat(1_100_000);
    const response = await patch([{ op: 'add', path: '/a', value }]);
    expect(response.status).toBe(413);
    expect(errorOf(response).key).toBe('overLimit');
  });

  it.each([
    [
      'a read-only attribute',
      { op: 'replace', path: '/status', value: 'active' },
      403,
      "Attribute 'status' is read-only.",
    ],
    ['its id', { op: 'replace', path: '/id', value: newId() }, 403, "Attribute 'id' is read-only."],
    [
      'a reserved one',
      { op: 'add', path: '/os_glance_x', value: 'x' },
      403,
      "Attribute 'os_glance_x' is reserved.",
    ],
    [
      'locations',
      { op: 'add', path: '/locations/-', value: {} },
      403,
      "'locations' cannot be changed: an image's data is uploaded or imported.",
    ],
    [
      'the removal of a name',
      { op: 'remove', path: '/name' },
      403,
      "Attribute 'name' cannot be removed.",
    ],
    [
      'publication',
      { op: 'replace', path: '/visibility', value: 'public' },
      403,
      "Making an image public (visibility 'public') needs the role admin.",
    ],
    [
      'another owner',
      { op: 'replace', path: '/owner', value: 'other' },
      403,
      'Giving an image to another project needs the role admin.',
    ],
    [
      'to replace a property that is not there',
      { op: 'replace', path: '/a', value: 'x' },
      409,
      "Property 'a' does not exist.",
    ],
    [
      'to remove a property that is not there',
      { op: 'remove', path: '/a~1b' },
      409,
      "Property 'a/b' does not exist.",
    ],
  ])('refuses %s', async (_what, change, status, message) => {
    const response = await patch([change]);
    expect(errorOf(response)).toMatchObject({ code: status, message });
    expect(response.status).toBe(status);
    expect(await images.show(image.id)).toEqual(image);
  });

  it('answers 413 to more custom properties than an image may have', async () => {
    const changes = Array.from({ length: 128 }, (_, at) => ({
      op: 'add',
      path: `/p${at}`,
      value: 'x',
    }));
    expect((await patch(changes)).status).toBe(413);
    expect((await patch(changes.slice(1))).status).toBe(200);
  });

  it('answers 413 to custom properties with too many bytes together', async () => {
    const value = '🐧'.repeat(8_192);
    const changes = ['a', 'b'].map((name) => ({ op: 'add', path: `/${name}`, value }));
    const response = await patch(changes);
    expect(response.status).toBe(413);
    expect(errorOf(response).message).toContain('may have 65536 bytes together');
    expect((await patch(changes.slice(1))).status).toBe(200);
  });

  it('keeps the formats once there is data', async () => {
    await images.upload(image.id, 'bytes');
    const response = await patch([{ op: 'replace', path: '/disk_format', value: 'qcow2' }]);
    expect(errorOf(response)).toMatchObject({
      code: 403,
      message: "Attribute 'disk_format' can only be replaced while the image is queued.",
    });
    expect((await patch([{ op: 'replace', path: '/name', value: 'two' }])).status).toBe(200);
  });

  it('changes the name of an image during an upload', async () => {
    const made = await images.create();
    const upload = images.upload(made.id, 'bytes');
    const name = newId();
    await patch([{ op: 'replace', path: '/name', value: name }], { id: made.id });
    await upload;
    expect(await images.show(made.id)).toMatchObject({ name, status: 'active', size: 5 });
  });

  it('lets an admin give an image away', async () => {
    const owner = newId();
    const change = { op: 'replace', path: '/owner', value: owner };
    const response = await patch([change], { token: images.admin });
    expect(response.body).toMatchObject({ owner });
    expect((await patch([])).status).toBe(404);
  });

  it('lets an image be deleted once it is unprotected', async () => {
    const set = (value: boolean): Promise<TestResponse> =>
      patch([{ op: 'replace', path: '/protected', value }]);
    const remove = (): Promise<TestResponse> =>
      images.client.delete(`/v2/images/${image.id}`, { token: images.member });
    await set(true);
    expect((await remove()).status).toBe(403);
    await set(false);
    expect((await remove()).status).toBe(204);
  });

  it('answers 404 for a missing image', async () => {
    expect((await patch([], { id: newId() })).status).toBe(404);
  });
});
