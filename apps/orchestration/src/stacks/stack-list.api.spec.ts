import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RecordedStacks, type RecordedStack } from './recorded-stacks.fixture.js';

let stacks: RecordedStacks;

beforeAll(async () => {
  stacks = await RecordedStacks.start();
});
afterAll(() => stacks.stop());
beforeEach(() => stacks.enterProject());

const names = async (query = ''): Promise<string[]> => {
  const { body } = await stacks.get(`/stacks${query}`);
  return (body as { stacks: { stack_name: string }[] }).stacks.map((one) => one.stack_name);
};

describe('the list of stacks', () => {
  it("contains the project's stacks, the newest first, without internal fields", async () => {
    const one = await stacks.create('one', { tags: 'a,b' });
    await stacks.create('two');
    const { body } = await stacks.get('/stacks');
    expect(body).toEqual({
      stacks: [
        expect.objectContaining({ stack_name: 'two', tags: null }),
        {
          id: one.id,
          links: [{ rel: 'self', href: one.links[0]?.href }],
          stack_name: 'one',
          description: 'A stack of a test.',
          tags: ['a', 'b'],
          stack_status: 'CREATE_COMPLETE',
          stack_status_reason: 'Stack CREATE completed successfully',
          creation_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          updated_time: null,
          deletion_time: null,
          parent: null,
          stack_owner: expect.stringMatching(/^name of ./),
          stack_user_project_id: stacks.projectId,
        },
      ],
    });
  });

  it('is paged, with a link to the next page', async () => {
    for (const name of ['one', 'two', 'three']) await stacks.create(name);
    const { body } = await stacks.get(
      '/stacks?limit=2&sort_keys=stack_name&sort_dir=asc&with_count=true',
    );
    const { links = [], count } = body as { links?: RecordedStack['links']; count: number };
    expect(count).toBe(3);
    expect(await names('?limit=2&sort_keys=stack_name&sort_dir=asc')).toEqual(['one', 'three']);
    const next = (links[0]?.href ?? '').slice(stacks.fixture.client.baseUrl.length);
    expect(await names(next.replace(/^[^?]*/, ''))).toEqual(['two']);
  });

  it.each([
    ['?name=one', ['one']],
    ['?stack_name=one&stack_name=three', ['three', 'one']],
    ['?status=COMPLETE', ['three', 'two', 'one']],
    ['?stack_status=UPDATE_COMPLETE', []],
    ['?stack_status=CREATE_COMPLETE', ['three', 'two', 'one']],
    ['?status=FAILED&status=IN_PROGRESS', []],
    ['?action=CREATE', ['three', 'two', 'one']],
    ['?timeout_mins=7', ['two']],
    ['?disable_rollback=false', ['two']],
    ['?id=nonsense', []],
    ['?unknown=filter', ['three', 'two', 'one']],
    ['?tags=red,blue', ['two']],
    ['?tags_any=red,green', ['three', 'two', 'one']],
    ['?not_tags=red,blue', ['three', 'one']],
    ['?not_tags_any=blue,green', ['one']],
  ])('is filtered by %s', async (query, expected) => {
    await stacks.create('one', { tags: 'red' });
    await stacks.create('two', { tags: 'red,blue', timeout_mins: 7, disable_rollback: false });
    await stacks.create('three', { tags: 'green' });
    expect(await names(query)).toEqual(expected);
  });

  it.each(['stack_owner', 'username'])('is filtered by %s', async (filter) => {
    await stacks.create('mine');
    const { body } = await stacks.get('/stacks');
    const { stacks: listed } = body as { stacks: { stack_owner: string }[] };
    const owner = listed[0]?.stack_owner ?? '';
    expect(await names(`?${filter}=${encodeURIComponent(owner)}`)).toEqual(['mine']);
    expect(await names(`?${filter}=${owner.replace('name of ', '')}`)).toEqual([]);
  });

  it('omits stacks with hidden tags unless they are requested', async () => {
    await stacks.create('plain');
    await stacks.create('hidden', { tags: 'data-processing-cluster' });
    expect(await names()).toEqual(['plain']);
    expect(await names('?show_hidden=true')).toEqual(['hidden', 'plain']);
  });

  it('includes deleted stacks on request', async () => {
    const { links } = await stacks.create('gone', { tags: 'red' });
    await stacks.create('there');
    const path = (links[0]?.href ?? '').slice(stacks.fixture.client.baseUrl.length);
    expect((await stacks.fixture.client.delete(path, { token: stacks.token })).status).toBe(204);
    expect(await names()).toEqual(['there']);
    expect(await names('?show_deleted=true&tags=red')).toEqual(['gone']);
    expect(await names('?show_deleted=true')).toEqual(['there', 'gone']);
    expect((await stacks.get(path)).body).toMatchObject({
      stack: { stack_status: 'DELETE_COMPLETE', deletion_time: expect.any(String) },
    });
  });

  it.each([
    ['?limit=many', "Only integer is acceptable by 'limit'"],
    ['?limit=-1', 'only accepts non-negative integer'],
    ['?show_deleted=perhaps', 'Unrecognized value "perhaps" for "show_deleted"'],
    ['?marker=nobody', "marker 'nobody' is not an id"],
    ['?sort_dir=up', "sort_dir 'up' is not one of asc, desc"],
    [`?tags=${'x'.repeat(81)}`, 'is longer than 80 characters'],
  ])('refuses %s', async (query, message) => {
    const { status, text } = await stacks.get(`/stacks${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining(message.replaceAll('"', '\\"'))]);
  });

  it("contains all projects' stacks for administrators on request", async () => {
    await stacks.create('mine');
    const { client, admin } = stacks.fixture;
    const path = '/stacks?global_tenant=true';
    const { body } = await client.get(path, { token: admin });
    const mine = expect.objectContaining({ stack_name: 'mine', project: stacks.projectId });
    expect((body as { stacks: unknown[] }).stacks).toContainEqual(mine);
    expect((await stacks.get(path)).status).toBe(403);
  });
});
