import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorOf, TestSecrets } from '../secrets.fixture.js';

let secrets: TestSecrets;

interface Page {
  readonly secrets: readonly { readonly name: string; readonly secret_ref: string }[];
  readonly total: number;
  readonly next?: string;
  readonly previous?: string;
}

const OF_ITS_OWN = { bit_length: 128, algorithm: 'AES', mode: 'cbc', secret_type: 'symmetric' };

beforeAll(async () => {
  secrets = await TestSecrets.start();
  for (const name of ['a', 'b_1', 'bx1', 'c', 'd'])
    await secrets.create({ name, ...(name === 'c' ? OF_ITS_OWN : {}) });
  await secrets.create({ name: 'late', expiration: '2090-06-01T00:00:00' });
  await secrets.create({ name: 'foreign' }, secrets.stranger);
  await secrets.started.app.dataSource.query(
    `UPDATE secrets SET created_at = '2030-01-01'::timestamptz + ascii(name) * interval '1 minute'
            + ascii(substr(name, 2)) * interval '10 milliseconds'
      WHERE name <> 'late'`,
  );
});
afterAll(() => secrets.stop());

async function list(query: string, token = secrets.member): Promise<Page> {
  const { status, body, text } = await secrets.send('GET', `/secrets${query}`, { token });
  if (status !== 200) throw new Error(`list answered ${status}: ${text}`);
  return body as Page;
}

const names = async (query: string, token?: string): Promise<string[]> =>
  (await list(query, token)).secrets.map(({ name }) => name);

describe('GET /v1/secrets', () => {
  it('has the secrets of the project, the oldest first', async () => {
    expect(await names('')).toEqual(['late', 'a', 'b_1', 'bx1', 'c', 'd']);
    expect(await names('', secrets.colleague)).toHaveLength(6);
    expect(await names('', secrets.stranger)).toEqual(['foreign']);
    expect(await names('', secrets.admin)).toEqual([]);
  });

  it.each([
    ['name=a', ['a']],
    ['name=b_1', ['b_1']],
    ['name=b%25', ['b_1', 'bx1']],
    ['name=', ['late', 'a', 'b_1', 'bx1', 'c', 'd']],
    ['alg=AES', ['c']],
    ['mode=cbc', ['c']],
    ['bits=128', ['c']],
    ['bits=0&name=a', ['a']],
    ['secret_type=symmetric', ['c']],
    ['expiration=gte:2090-01-01,lt:2091-01-01', ['late']],
    ['expiration=2090-06-01', ['late']],
    ['expiration=gt:2090-06-01', []],
    ['created=gt:2030-01-01&sort=name:desc', ['d', 'c', 'bx1', 'b_1', 'a']],
    ['updated=lt:2000-01-01', []],
    ['sort=bit_length:desc,name:desc&limit=2', ['c', 'late']],
    ['sort=status,created:desc&limit=1', ['d']],
    ['unknown=1&limit=1', ['late']],
  ])('?%s', async (query, expected) => expect(await names(`?${query}`)).toEqual(expected));

  it.each([
    ['sort=colour', "sort: 'colour' is not one of algorithm,"],
    ['sort=name:up', "sort: 'up' is neither asc nor desc"],
    ['sort=name,name', "sort: 'name' is named twice"],
    ['created=yesterday', 'created must be times in ISO 8601'],
    ['expiration=ge:2030-01-01', 'expiration must be'],
    ['limit=-1', 'limit must not be less than 0'],
    ['limit=many', 'limit must be an integer'],
    ['offset=-1', 'offset must not be less than 0'],
    ['bits=few', 'bits must be an integer'],
    ['secret_type=magic', 'secret_type must be one of'],
    ['acl_only=perhaps', 'acl_only must be a boolean'],
  ])('refuses ?%s', async (query, message) => {
    const answer = await secrets.send('GET', `/secrets?${query}`);
    expect(errorOf(answer)).toEqual([400, expect.stringContaining(message)]);
  });

  it('has pages, with links to the previous and next that keep the filters', async () => {
    const filter = 'created=gt%3A2030-01-01';
    const at = (offset: number) =>
      `${secrets.client.baseUrl}/v1/secrets?limit=2&offset=${offset}&${filter}`;
    const first = await list(`?${filter}&limit=2`);
    expect([first.total, first.next, first.previous]).toEqual([5, at(2), undefined]);
    const second = await list(new URL(first.next ?? '').search);
    expect(second.secrets.map(({ name }) => name)).toEqual(['bx1', 'c']);
    expect([second.next, second.previous]).toEqual([at(4), at(0)]);
    const last = await list(new URL(second.next ?? '').search);
    expect([last.secrets.length, last.total, last.next]).toEqual([1, 5, undefined]);
  });

  it('has a total also if the page is empty', async () => {
    for (const query of ['?limit=0', '?offset=100']) {
      const { secrets: rows, total, next } = await list(query);
      expect([rows, total, next]).toEqual([[], 6, undefined]);
    }
  });

  it('has at most a hundred rows, and ten without a limit', async () => {
    const { tokens } = secrets.started;
    const token = await tokens.issue(['member'], { projectId: 'many' });
    await secrets.started.app.dataSource.query(
      `INSERT INTO secrets (id, project_id, creator_id, secret_type)
       SELECT gen_random_uuid(), 'many', 'u', 'opaque' FROM generate_series(1, 120)`,
    );
    expect(await names('', token)).toHaveLength(10);
    const page = await list('?limit=1000', token);
    expect([page.secrets.length, page.total]).toEqual([100, 120]);
    expect(page.next).toContain('limit=100&offset=100');
  });
});
