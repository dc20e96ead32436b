import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf } from '../../images.fixture.js';
import { TestMetadefs, TIMESTAMP } from '../metadefs.fixture.js';

let metadefs: TestMetadefs;

beforeAll(async () => {
  metadefs = await TestMetadefs.start();
});
afterAll(() => metadefs.stop());

describe('POST /v2/metadefs/namespaces', () => {
  it("creates a namespace that is private and the caller's", async () => {
    const project = newId();
    const token = await metadefs.images.tokens.issue(['admin'], { projectId: project });
    const body = { namespace: 'OS::Compute::Libvirt' };
    const response = await metadefs.send('POST', '/namespaces', { token, body });
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe(
      `${metadefs.images.client.baseUrl}/v2/metadefs/namespaces/OS::Compute::Libvirt`,
    );
    expect(response.body).toEqual({
      namespace: 'OS::Compute::Libvirt',
      visibility: 'private',
      protected: false,
      owner: project,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: (response.body as { created_at: string }).created_at,
      self: '/v2/metadefs/namespaces/OS::Compute::Libvirt',
      schema: '/v2/schemas/metadefs/namespace',
    });
  });

  it('accepts all properties', async () => {
    const fields = {
      namespace: 'a/b c?🐧',
      display_name: 'All',
      description: '',
      visibility: 'public',
      protected: true,
      owner: newId(),
    };
    const path = await metadefs.namespace(fields);
    expect(await metadefs.get(path)).toMatchObject(fields);
  });

  it('answers 409 for a name that is taken, even by an invisible namespace', async () => {
    const namespace = 'taken';
    await metadefs.namespace({ namespace, visibility: 'private', owner: newId() });
    const response = await metadefs.send('POST', '/namespaces', { body: { namespace } });
    expect(errorOf(response)).toEqual({
      key: 'conflictingRequest',
      code: 409,
      message: "A metadata definition namespace 'taken' exists already.",
    });
  });

  it.each([
    ['nothing', {}],
    ['a list', []],
    ['no name', { namespace: '' }],
    ['a name that is too long', { namespace: 'x'.repeat(81) }],
    ['a name that cannot be stored', { namespace: 'a\0' }],
    ['a number for a name', { namespace: 7 }],
    ['a display name that is too long', { namespace: 'a', display_name: 'x'.repeat(81) }],
    ['a description that is too long', { namespace: 'a', description: 'x'.repeat(501) }],
    ['a null', { namespace: 'a', description: null }],
    ['a visibility that is none', { namespace: 'a', visibility: 'shared' }],
    ['a protection that is none', { namespace: 'a', protected: 'yes' }],
    ['more than it knows', { namespace: 'a', colour: 'red' }],
  ])('answers 400 to %s', async (_what, body) => {
    const response = await metadefs.send('POST', '/namespaces', { body });
    expect(response.status).toBe(400);
    expect(errorOf(response).message).toMatch(/^Invalid input: /);
  });

  it.each(['self', 'schema', 'created_at', 'updated_at'])('answers 403 to %s', async (name) => {
    const body = { namespace: 'a', [name]: 'x' };
    const response = await metadefs.send('POST', '/namespaces', { body });
    expect(errorOf(response)).toMatchObject({
      code: 403,
      message: `Attribute '${name}' is read-only.`,
    });
  });

  it('is for administrators only', async () => {
    const { member: token } = metadefs.images;
    const response = await metadefs.send('POST', '/namespaces', { token, body: {} });
    expect(response.status).toBe(403);
  });
});

describe('GET /v2/metadefs/namespaces/{namespace_name}', () => {
  it.each(['nobody', 'a%2Fb', 'x'.repeat(300)])('answers 404 for %s', async (name) => {
    const response = await metadefs.send('GET', `/namespaces/${name}`);
    expect(errorOf(response)).toEqual({
      key: 'itemNotFound',
      code: 404,
      message: `No metadata definition namespace '${decodeURIComponent(name)}' found.`,
    });
  });

  it('answers 400 for a name that no namespace can have', async () => {
    expect((await metadefs.send('GET', '/namespaces/a%00')).status).toBe(400);
  });
});

describe('PUT /v2/metadefs/namespaces/{namespace_name}', () => {
  const put = (path: string, body: object) => metadefs.send('PUT', path, { body });

  it('replaces all but the contents, and resets omitted properties', async () => {
    const path = await metadefs.namespace({
      description: 'old',
      display_name: 'Old',
      protected: true,
      tags: [{ name: 'stays' }],
    });
    const [namespace, owner] = [`new ${newId()}`, newId()];
    const response = await put(path, { namespace, owner, description: 'new' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      namespace,
      owner,
      description: 'new',
      visibility: 'private',
      protected: false,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: expect.stringMatching(TIMESTAMP),
      self: `/v2/metadefs/namespaces/${namespace}`,
      schema: '/v2/schemas/metadefs/namespace',
    });
    const renamed = await metadefs.get(`/namespaces/${namespace}`, metadefs.images.admin);
    expect(renamed).toMatchObject({ description: 'new', tags: [{ name: 'stays' }] });
    expect((await metadefs.send('GET', path)).status).toBe(404);
  });

  it('accepts contents as they were read, and leaves them unchanged', async () => {
    const path = await metadefs.namespace({
      objects: [{ name: 'one', required: ['x'] }],
      resource_type_associations: [{ name: 'OS::Glance::Image' }],
    });
    const shown = await metadefs.get(path);
    const { self: _self, schema: _schema, created_at: _c, updated_at: _u, ...rest } = shown;
    const response = await put(path, { ...rest, tags: 'whatever', description: 'new' });
    expect(response.status).toBe(200);
    expect(await metadefs.get(path)).toMatchObject({ ...rest, description: 'new' });
  });

  it('answers 409 if the new name is taken', async () => {
    const [path, other] = [await metadefs.namespace(), await metadefs.namespace()];
    const { namespace } = await metadefs.get(other);
    expect((await put(path, { namespace })).status).toBe(409);
    expect((await put(other, { namespace })).status).toBe(200);
  });

  it('answers 400 without a name, 403 to read-only properties and 404 for a missing namespace', async () => {
    const path = await metadefs.namespace();
    expect((await put(path, { description: 'nameless' })).status).toBe(400);
    expect((await put(path, { namespace: 'a', self: 'me' })).status).toBe(403);
    expect((await put('/namespaces/nobody', { namespace: 'a' })).status).toBe(404);
  });
});

describe('DELETE /v2/metadefs/namespaces/{namespace_name}', () => {
  it('deletes the contents, and keeps the resource types', async () => {
    const contents = {
      objects: [{ name: 'one' }],
      properties: { colour: { title: 'Colour', type: 'string' } },
      tags: [{ name: 'one' }],
      resource_type_associations: [{ name: 'OS::Left::Behind' }],
    };
    const namespace = `gone ${newId()}`;
    const path = await metadefs.namespace({ namespace, ...contents });
    const response = await metadefs.send('DELETE', path);
    expect([response.status, response.text]).toEqual([204, '']);
    expect((await metadefs.send('GET', path)).status).toBe(404);
    await metadefs.namespace({ namespace });
    expect(Object.keys(await metadefs.get(path))).not.toEqual(
      expect.arrayContaining(Object.keys(contents)),
    );
    const { resource_types: types } = await metadefs.get('/resource_types');
    expect(types).toContainEqual(expect.objectContaining({ name: 'OS::Left::Behind' }));
  });

  it('answers 403 while it is protected', async () => {
    const namespace = 'kept';
    const path = await metadefs.namespace({ namespace, protected: true });
    const response = await metadefs.send('DELETE', path);
    expect(errorOf(response)).toEqual({
      key: 'forbidden',
      code: 403,
      message: "Namespace 'kept' is protected and cannot be deleted.",
    });
    await metadefs.done('PUT', path, { namespace, protected: false });
    expect((await metadefs.send('DELETE', path)).status).toBe(204);
  });

  it('answers 404 for a missing namespace', async () => {
    expect((await metadefs.send('DELETE', '/namespaces/nobody')).status).toBe(404);
  });

  it('lets one of many concurrent requests delete it', async () => {
    const path = await metadefs.namespace({ tags: [{ name: 'one' }] });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => metadefs.send('DELETE', path)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  });
});
