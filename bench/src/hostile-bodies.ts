/**
 * Requests that cost a parser, a validator or a reader as much as they can, each beside a harmless
 * one of the same bytes for the same route. Pure.
 */
import { formPairs, templatePairs, xmlPairs } from './hostile-documents.js';
import { listed, MAX_BYTES, type Pair, type Sent, type World } from './hostile-request.js';

/** Bodies are judged before what they are about is looked for. */
const NOBODYS = '00000000-0000-4000-8000-000000000000';

/** Node's limit for all headers, and a request's line, less what a request needs. */
const MAX_HEADERS = 12 * 1024;

export function pairsOf(world: World): readonly Pair[] {
  return [
    ...jsonPairs(world),
    ...headerPairs(world),
    ...queryPairs(world),
    ...patchPairs(world),
    ...templatePairs(world),
    ...xmlPairs(world),
    ...formPairs(world),
  ];
}

/** Ordinary JSON: a list of objects as services have them. */
function ordinary(bytes: number): string {
  const item = (at: number): string =>
    `{"id":"9f1b5a52-0000-4000-8000-${String(at).padStart(12, '0')}","name":"server number ${at}","description":"one of many","count":${at}}`;
  // As many as a list may have; the rest is a text.
  const list = `[${listed(item, bytes - 2, 4_000)}]`;
  const left = bytes - list.length;
  return left < 40 ? list : `{"items":${list},"text":"${'some text '.repeat((left - 30) / 10)}"}`;
}

const keys = (count?: number): string => `{${listed((at) => `"a${at}":1`, MAX_BYTES, count)}}`;

function jsonPairs({ url, token, login }: World): Pair[] {
  const routes: readonly [string, string, boolean, (value: string) => string][] = [
    ['token', '/identity/v3/auth/tokens', false, (value) => withMember(login, value)],
    ['server', '/compute/v2.1/servers', true, (value) => `{"server":{"name":"a"},"more":${value}}`],
    ['network', '/networking/v2.0/networks', true, (value) => `{"network":{"more":${value}}}`],
    ['stack', '/orchestration/stacks', true, (value) => `{"stack_name":"a","more":${value}}`],
    ['image', '/image/v2/images', true, (value) => `{"name":"a","more":${value}}`],
  ];
  const values: readonly [string, string][] = [
    ['95,000 unknown keys', keys(95_000)],
    [
      '1,000 unknown keys of 1 KB',
      `{${listed((at) => `"${String(at).padEnd(1_000, 'k')}":1`, MAX_BYTES, 999)}}`,
    ],
    [
      'objects of 900 keys',
      `[${listed((at) => `{${listed((key) => `"k${at}x${key}":1`, 9_000, 900)}}`, MAX_BYTES, 50)}]`,
    ],
    ['as many names as may be', `[${listed((at) => `{"n${at}":1}`, MAX_BYTES, 380)}]`],
    [
      'as many names as 1 MB may have',
      `[${listed((at) => `{"n${at}":"${'v'.repeat(230)}"}`, MAX_BYTES, 3_900)}]`,
    ],
    ['as many texts as may be', `[${listed((at) => `"t${at}"`, MAX_BYTES, 1_450)}]`],
    ['as many lists as may be', `[${listed(() => '[[]]', MAX_BYTES, 4_900)}]`],
    ['depth', '['.repeat(MAX_BYTES)],
    ['99 levels, often', `[${listed(() => '['.repeat(95) + ']'.repeat(95), MAX_BYTES, 500)}]`],
    ['a wide list', `[${listed(() => '1')}]`],
    ['a list of 49,000', `[${listed(() => '{}', MAX_BYTES, 49_000)}]`],
    ['a key of 1 MB', `{"${'k'.repeat(MAX_BYTES)}":1}`],
    ['numbers of 100,000 digits', `[${listed(() => '9'.repeat(100_000))}]`],
    ['escapes', `"${String.raw`\u0041`.repeat(MAX_BYTES / 6)}"`],
    ['backslashes', `"${'\\\\'.repeat(MAX_BYTES / 2)}"`],
    ['quotes and backslashes', `"${'\\'.repeat(MAX_BYTES)}`],
  ];
  const json = (path: string, isGuarded: boolean, body: string): Sent => ({
    method: 'POST',
    url: url + path,
    headers: ['Content-Type', 'application/json', ...(isGuarded ? ['X-Auth-Token', token] : [])],
    body: body.slice(0, MAX_BYTES + 512),
  });
  const pairs = routes.flatMap(([route, path, isGuarded, around]) =>
    values.map(([name, value]) => {
      const hostile = json(path, isGuarded, around(value));
      const bytes = hostile.body.length - around('').length;
      return {
        name: `${route}: ${name}`,
        hostile,
        harmless: json(path, isGuarded, around(ordinary(bytes))),
      };
    }),
  );
  return [...pairs, ...namedLists(json)];
}

/** Lists of what a DTO or a reader knows, as long as they may be. */
function namedLists(json: (path: string, isGuarded: boolean, body: string) => Sent): Pair[] {
  const list = `[${listed((at) => `"m${at}"`, MAX_BYTES, 49_000)}]`;
  const lists: readonly [string, string, boolean, (list: string) => string][] = [
    [
      'login methods',
      '/identity/v3/auth/tokens',
      false,
      (value) => `{"auth":{"identity":{"methods":${value}}}}`,
    ],
    [
      'project tags',
      '/identity/v3/projects',
      true,
      (value) => `{"project":{"name":"a","tags":${value}}}`,
    ],
    ['image tags', '/image/v2/images', true, (value) => `{"name":"a","tags":${value}}`],
    [
      'networks of a server',
      '/compute/v2.1/servers',
      true,
      (value) => `{"server":{"name":"a","networks":${value}}}`,
    ],
    ['networks at once', '/networking/v2.0/networks', true, (value) => `{"networks":${value}}`],
    [
      'addresses of a port',
      '/networking/v2.0/ports',
      true,
      (value) => `{"port":{"fixed_ips":${value}}}`,
    ],
    [
      'name servers',
      '/networking/v2.0/subnets',
      true,
      (value) => `{"subnet":{"dns_nameservers":${value}}}`,
    ],
    [
      'load balancer tags',
      '/load-balancer/v2.0/lbaas/loadbalancers',
      true,
      (value) => `{"loadbalancer":{"tags":${value}}}`,
    ],
    [
      'environment files',
      '/orchestration/stacks',
      true,
      (value) => `{"stack_name":"a","template":{},"environment_files":${value}}`,
    ],
    [
      'secrets of a container',
      '/key-manager/v1/containers',
      true,
      (value) => `{"type":"generic","secret_refs":${value}}`,
    ],
  ];
  return lists.map(([name, path, isGuarded, around]) => {
    const hostile = json(path, isGuarded, around(list));
    const bytes = hostile.body.length - around('').length - 12;
    // The same list as a value that nothing reads.
    const padded = around('[]').replace(/^\{/, `{"padding":${ordinary(bytes)},`);
    return { name: `list: ${name}`, hostile, harmless: json(path, isGuarded, padded) };
  });
}

function withMember(login: object, value: string): string {
  return JSON.stringify(login).replace(/\}$/, `,"more":${value}}`);
}

function headerPairs({ url, token }: World): Pair[] {
  const get = (path: string, headers: readonly string[]): Sent => ({
    method: 'GET',
    url: url + path,
    headers: ['X-Auth-Token', token, ...headers],
    body: '',
  });
  const path = '/networking/v2.0/networks';
  const many: string[] = [];
  for (let at = 0; many.length * 6 < MAX_HEADERS; at += 1) many.push(`x${at.toString(36)}`, '1');
  const padding = (bytes: number): string[] => ['X-Padding', 'p'.repeat(bytes)];
  const repeated = (name: string, item: string): Pair => ({
    name: `headers: a long ${name}`,
    hostile: get(path, [name, item.repeat(MAX_HEADERS / item.length)]),
    harmless: get(path, padding(MAX_HEADERS)),
  });
  return [
    { name: 'headers: many', hostile: get(path, many), harmless: get(path, padding(MAX_HEADERS)) },
    repeated('Accept', 'a/b;q=0.1, '),
    repeated('OpenStack-API-Version', 'compute 2.1, '),
    repeated('X-Forwarded-For', '10.0.0.1, '),
    repeated('Forwarded', 'for=10.0.0.1, '),
    repeated('Cookie', 'a=b; '),
    repeated('X-Auth-Token', 'a.'),
    repeated('traceparent', '00-'),
  ];
}

function queryPairs({ url, token }: World): Pair[] {
  const get = (path: string, query: string): Sent => ({
    method: 'GET',
    url: `${url}${path}?${query}`,
    headers: ['X-Auth-Token', token],
    body: '',
  });
  const many = (one: (at: number) => string): string => {
    const text = listed(one, MAX_HEADERS).replaceAll(',', '&');
    return text;
  };
  const lists = [
    '/networking/v2.0/networks',
    '/compute/v2.1/servers/detail',
    '/image/v2/images',
    '/identity/v3/users',
    '/orchestration/stacks',
    '/load-balancer/v2.0/lbaas/loadbalancers',
    '/key-manager/v1/secrets',
    '/container-infra/v1/clusters',
  ];
  const queries: readonly [string, string][] = [
    [
      'as many names as may be',
      listed((at) => `q${at.toString(36)}=1`, MAX_HEADERS, 100).replaceAll(',', '&'),
    ],
    ['many names', many((at) => `q${at.toString(36)}=1`)],
    ['one name, often', many(() => 'name=a')],
    ['fields', many(() => 'fields=id')],
    ['sort keys', many(() => 'sort_key=id&sort_dir=asc')],
  ];
  return lists.flatMap((path) =>
    queries.map(([name, query]) => ({
      name: `query: ${name} to ${path.split('/')[1] ?? ''}`,
      hostile: get(path, query),
      harmless: get(path, `q=${'p'.repeat(query.length - 2)}`),
    })),
  );
}

function patchPairs({ url, token, imageId }: World): Pair[] {
  const patch = (path: string, type: string, body: string): Sent => ({
    method: 'PATCH',
    url: url + path,
    headers: ['Content-Type', type, 'X-Auth-Token', token],
    body,
  });
  const glance = 'application/openstack-images-v2.1-json-patch';
  const image = `/image/v2/images/${imageId}`;
  const template = `/container-infra/v1/clustertemplates/${NOBODYS}`;
  const changes = (path: (at: number) => string): string =>
    `[${listed((at) => `{"op":"add","path":"${path(at)}","value":"v"}`, MAX_BYTES, 12_000)}]`;
  const pair = (name: string, path: string, type: string, body: string): Pair => ({
    name: `patch: ${name}`,
    hostile: patch(path, type, body),
    harmless: patch(path, type, `[{"op":"add","path":"/x","value":${ordinary(body.length - 40)}}]`),
  });
  return [
    pair(
      'properties of an image',
      image,
      glance,
      changes((at) => `/p${at}`),
    ),
    pair(
      'one property, often',
      image,
      glance,
      changes(() => '/p'),
    ),
    pair(
      'tags of an image',
      image,
      glance,
      `[${listed(() => '{"op":"replace","path":"/tags","value":["a","b"]}', MAX_BYTES, 9_000)}]`,
    ),
    pair(
      'a long path',
      image,
      glance,
      `[{"op":"add","path":"${'/a~1'.repeat(MAX_BYTES / 4 - 50)}","value":"v"}]`,
    ),
    pair(
      'labels',
      template,
      'application/json',
      changes((at) => `/labels/l${at}`),
    ),
    pair(
      'a long path of labels',
      template,
      'application/json',
      `[{"op":"add","path":"/labels/${'~1'.repeat(MAX_BYTES / 2 - 50)}","value":"v"}]`,
    ),
  ];
}
