import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorOf, TestImages, type WireImage } from '../images.fixture.js';

let images: TestImages;
const ids: Record<string, string> = {};

interface Page {
  readonly images: readonly WireImage[];
  readonly first: string;
  readonly next?: string;
  readonly schema: string;
}

beforeAll(async () => {
  images = await TestImages.start();
  const rows: [string, object, string?][] = [
    ['alpha', { disk_format: 'qcow2', tags: ['x86', 'lts'], os_distro: 'debian', min_ram: 1 }],
    ['bravo', { disk_format: 'raw', tags: ['x86'], protected: true }],
    ['charlie', { container_format: 'ovf', os_distro: 'fedora' }],
    ['delta', { name: 'del,ta', visibility: 'private' }],
    ['hidden', { os_hidden: true }],
  ];
  for (const [name, fields, data] of rows) {
    const { id } = await images.create({ name, ...fields });
    ids[name] = id;
    if (data !== undefined) await images.upload(id, data);
  }
  await images.upload(ids['bravo'] ?? '', '0123456789');
  await images.makeInOrder(Object.values(ids));
});
afterAll(() => images.stop());

async function ask(query: string): Promise<Page> {
  const response = await images.client.get(`/v2/images${query}`, { token: images.reader });
  if (response.status !== 200) throw new Error(response.text);
  return response.body as Page;
}

async function names(query: string): Promise<unknown[]> {
  return (await ask(query)).images.map(({ name }) => name);
}

describe('GET /v2/images', () => {
  it('lists the newest first, with links', async () => {
    const page = await ask('');
    expect(page.images.map(({ name }) => name)).toEqual(['del,ta', 'charlie', 'bravo', 'alpha']);
    expect(page).toMatchObject({ first: '/v2/images', schema: '/v2/schemas/images' });
    expect(page).not.toHaveProperty('next');
  });

  it.each([
    ['name=alpha', ['alpha']],
    ['name=in:alpha,"del\\,ta",%20x', ['del,ta', 'alpha']],
    ['name=eq:alpha', ['alpha']],
    ['status=active', ['bravo']],
    ['status=eq:active', ['bravo']],
    ['status=in:active,queued', ['del,ta', 'charlie', 'bravo', 'alpha']],
    ['visibility=private', ['del,ta']],
    ['visibility=public', []],
    ['visibility=all', ['del,ta', 'charlie', 'bravo', 'alpha']],
    ['disk_format=qcow2', ['alpha']],
    ['container_format=ovf', ['charlie']],
    ['os_hidden=true', ['hidden']],
    ['os_hidden=True', ['hidden']],
    ['protected=true', ['bravo']],
    ['tag=x86', ['bravo', 'alpha']],
    ['tag=x86&tag=lts', ['alpha']],
    ['owner=nobody', []],
    ['size_min=10', ['bravo']],
    ['size_max=9', []],
    ['size=10', ['bravo']],
    ['size_min=5&size_max=10', ['bravo']],
    ['virtual_size_min=11', []],
    ['min_ram=1', ['alpha']],
    ['min_ram_min=1', ['alpha']],
    ['min_disk_max=0&min_ram_max=0', ['del,ta', 'charlie', 'bravo']],
    ['checksum=781e5e245d69b566979b86e28d23f2c7', ['bravo']],
    ['os_distro=debian&min_ram=1&tag=lts', ['alpha']],
    ['deleted=true&name=alpha', ['alpha']],
    ['status=pending_delete', []],
    ['status=in:deleted,killed', []],
    ['os_distro=debian', ['alpha']],
    ['os_distro=debian&disk_format=raw', []],
    ['created_at=gt:2020-01-01T00:00:00Z&name=alpha', ['alpha']],
    ['created_at=lt:2020-01-01', []],
    ['member_status=all&name=alpha', ['alpha']],
    ['id=no-uuid', []],
    ['name=', []],
    ['name=in:', []],
    ['id=', []],
    ['owner=', []],
    ['status=', []],
    ['status=in:', []],
    ['status=in:active,', ['bravo']],
    ['disk_format=', []],
    ['container_format=', []],
    ['visibility=', []],
    ['checksum=', []],
    ['os_hash_value=', []],
    ['tag=', []],
    ['os_distro=', []],
    ['deleted=', ['del,ta', 'charlie', 'bravo', 'alpha']],
  ])('filters by %s', async (query, expected) => {
    expect(await names(`?${query}`)).toEqual(expected);
  });

  it('filters by ID and owner', async () => {
    expect(await names(`?id=${ids['alpha'] ?? ''}&owner=${images.project}`)).toEqual(['alpha']);
  });

  it.each([
    ['sort_key=name&sort_dir=asc', ['alpha', 'bravo', 'charlie', 'del,ta']],
    ['sort_key=name', ['del,ta', 'charlie', 'bravo', 'alpha']],
    ['sort_dir=asc', ['alpha', 'bravo', 'charlie', 'del,ta']],
    ['sort=name:asc', ['alpha', 'bravo', 'charlie', 'del,ta']],
    ['sort=status:asc,name:desc', ['bravo', 'del,ta', 'charlie', 'alpha']],
    ['sort=size:desc,name:asc', ['bravo', 'alpha', 'charlie', 'del,ta']],
    [
      'sort_key=status&sort_dir=asc&sort_key=name&sort_dir=desc',
      ['bravo', 'del,ta', 'charlie', 'alpha'],
    ],
  ])('sorts by %s', async (query, expected) => {
    expect(await names(`?${query}`)).toEqual(expected);
  });

  it.each(['', 'sort=name:asc&', 'sort=status:asc,disk_format:desc&', 'sort_dir=asc&'])(
    'pages without gaps or duplicates: %s',
    async (sort) => {
      const seen: unknown[] = [];
      let next: string | undefined = `/v2/images?${sort}limit=1`;
      while (next !== undefined) {
        const page: Page = await ask(next.slice('/v2/images'.length));
        seen.push(...page.images.map(({ name }) => name));
        next = page.next;
      }
      expect([...seen].sort()).toEqual(['alpha', 'bravo', 'charlie', 'del,ta']);
    },
  );

  it('repeats filters in its links, and the marker only in the next link', async () => {
    const page = await ask('?limit=2&protected=false&marker=' + (ids['delta'] ?? ''));
    expect(page.first).toBe('/v2/images?limit=2&protected=false');
    expect(page.images.map(({ name }) => name)).toEqual(['charlie', 'alpha']);
    expect(page).not.toHaveProperty('next');
  });

  it('returns no images with limit 0', async () => {
    expect(await ask('?limit=0')).toMatchObject({ images: [] });
  });

  it.each([
    ['limit=x', 'limit must be an integer'],
    ['limit=', 'limit must be an integer'],
    ['marker=', "marker '' is not the ID of an image"],
    ['sort=', "sort_key '' is not one of name"],
    ['sort_dir=', 'sort_dir must be one of asc, desc'],
    ['member_status=', 'member_status must be one of pending'],
    ['os_hidden=', 'os_hidden must be true or false'],
    ['protected=', 'protected must be true or false'],
    ['size_min=', 'size_min must be a number'],
    ['created_at=', 'created_at must be an operator such as gt and a time'],
    ['limit=-1', 'limit must be an integer'],
    ['marker=no-uuid', "marker 'no-uuid' is not the ID of an image"],
    ['marker=00000000-0000-4000-8000-00000000dead', 'is not the ID of an image'],
    ['sort_key=colour', "sort_key 'colour' is not one of name, status"],
    ['sort_key=constructor', "sort_key 'constructor' is not one of name, status"],
    ['sort_dir=up', 'sort_dir must be one of asc, desc'],
    ['sort=name:up', 'sort_dir must be one of asc, desc'],
    ['sort=name&sort_key=name', 'sort cannot be combined with sort_key'],
    [
      'sort_key=name&sort_dir=asc&sort_dir=desc',
      'sort_dir must be given once, or once for each sort_key',
    ],
    ['visibility=secret', 'visibility must be one of public'],
    ['status=melting', 'status must be one of queued'],
    ['disk_format=floppy', 'disk_format must be one of ami'],
    ['protected=perhaps', 'protected must be true or false'],
    ['os_hidden=perhaps', 'os_hidden must be true or false'],
    ['member_status=late', 'member_status must be one of pending, accepted'],
    ['status=staging', 'status must be one of queued'],
    ['changes-since=2020-01-01', 'changes-since is gone'],
    ['size_min=big', 'size_min must be a number'],
    ['virtual_size=big', 'virtual_size must be a number'],
    ['created_at=yesterday', 'created_at must be an operator such as gt and a time'],
    ['created_at=about:2020-01-01', 'created_at must be an operator such as gt and a time'],
    ['created_at=gt:2020-13-01', 'created_at must be an operator such as gt and a time'],
    ['name=a&name=b', 'name must be given once'],
    ['name=%00', 'name must not contain a null character'],
    ['tag=%00', 'tag must not contain a null character'],
    ['os_hash_algo=md5', 'images cannot be filtered by os_hash_algo'],
    ['name=in:"open', 'name must be a list whose quotes are closed'],
  ])('refuses %s', async (query, message) => {
    const response = await images.client.get(`/v2/images?${query}`, { token: images.reader });
    expect(response.status).toBe(400);
    expect(errorOf(response)).toMatchObject({ key: 'badRequest' });
    expect(errorOf(response).message).toContain(message);
  });

  it('refuses too many values of a filter', async () => {
    const query = `name=in:${numbers(501).join(',')}`;
    const response = await images.client.get(`/v2/images?${query}`, { token: images.reader });
    expect(response.status).toBe(400);
    expect(errorOf(response).message).toContain('name takes 500 values at most');
  });

  it('treats a hostile property name as a name', async () => {
    expect(await names(`?${encodeURIComponent(`a'b"--`)}=x`)).toEqual([]);
  });
});

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}
