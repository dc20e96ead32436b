/** Lists of images in every state, page by page. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newId } from '@cumulet/testing/test-tokens';
import { TestImages, type WireImage } from '../images.fixture.js';
import { IMAGE_STATES, insertImage } from './image-row.fixture.js';

let images: TestImages;
let token: string;

beforeAll(async () => {
  images = await TestImages.start({ role: 'api' });
  const ctx = RequestContext.system('req-test', images.app.dataSource.manager);
  const owner = asId<ProjectId>(newId());
  token = await images.tokens.issue(['reader'], { projectId: owner });
  for (const state of IMAGE_STATES) await insertImage(ctx, { owner, state, name: state });
});
afterAll(() => images.stop());

async function list(query: string): Promise<{ images: WireImage[]; next?: string }> {
  const { body } = await images.client.get(`/v2/images?${query}`, { token });
  return body as { images: WireImage[]; next?: string };
}

async function names(query: string): Promise<unknown[]> {
  return (await list(`${query}&sort=name:asc`)).images.map(({ name }) => name);
}

describe('GET /v2/images', () => {
  it('lists all images except those being deleted', async () => {
    expect(await names('')).toEqual(
      IMAGE_STATES.filter((state) => state !== 'pending_delete').sort(),
    );
  });

  it('shows staged data as uploading', async () => {
    const { images: all } = await list('');
    expect(Object.fromEntries(all.map(({ name, status }) => [String(name), status]))).toEqual({
      queued: 'queued',
      saving: 'saving',
      staging: 'uploading',
      staged: 'uploading',
      import_waiting: 'importing',
      importing: 'importing',
      active: 'active',
      deactivated: 'deactivated',
      killed: 'killed',
    });
  });

  it.each([
    ['status=uploading', ['staged', 'staging']],
    ['status=in:uploading,active', ['active', 'staged', 'staging']],
    ['status=importing', ['import_waiting', 'importing']],
    ['status=killed', ['killed']],
    ['status=pending_delete', []],
    ['status=deleted', []],
  ])('filters by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('sorts by the shown status across pages', async () => {
    const seen: WireImage[] = [];
    let next: string | undefined = '/v2/images?limit=2&sort=status:asc,name:asc';
    while (next !== undefined) {
      const page = await list(next.slice('/v2/images?'.length));
      seen.push(...page.images);
      next = page.next;
    }
    const expected = [...seen].sort(
      (one, other) =>
        one.status.localeCompare(other.status) ||
        String(one['name']).localeCompare(String(other['name'])),
    );
    expect(seen.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
    expect(seen).toHaveLength(9);
  });
});
