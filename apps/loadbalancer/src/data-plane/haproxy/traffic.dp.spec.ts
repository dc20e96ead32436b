/** Requests through HAProxy: one process with a listener for each case. */
import { createServer, connect, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import {
  balancerSpec,
  listenerSpec,
  memberSpec,
  monitorSpec,
  poolSpec,
  ruleSpec,
} from '../balancer.fixture.js';
import type { BalancerSpec, MemberSpec, PolicyAction, RuleSpec } from '../balancer-spec.js';
import { get, membersOf, ProxyWorld, type Answer } from './haproxy.fixture.js';

const PORTS = {
  cookie: 8001,
  sourceIp: 8002,
  sourcePort: 8003,
  layer7: 8004,
  headers: 8005,
  allowed: 8006,
  proxied: 8007,
  metrics: 8008,
  checked: 8009,
  pinged: 8010,
  tcp: 8011,
  appCookie: 8012,
  backup: 8013,
};

/** Would break out of a line, a quote, an expression or a pattern. */
const HOSTILE = [`a'b"c`, '%[src]', '$HOME', 'a b', 'a#b', String.raw`\\n`, '{}|*'];

let world: ProxyWorld;
let one: MemberSpec;
let two: MemberSpec;
let proxied: { readonly server: Server; readonly member: MemberSpec; readonly heard: string[] };

const rule = (id: string, fields: Partial<RuleSpec>): RuleSpec => ruleSpec({ id, ...fields });

const policies = (
  ...of: [PolicyAction, ...Partial<RuleSpec>[]][]
): BalancerSpec['listeners'][0]['policies'] =>
  of.map(([action, ...rules], at) => ({
    id: `policy-${at}`,
    enabled: true,
    action,
    rules: rules.map((fields, number) => rule(`rule-${at}-${number}`, fields)),
  }));

const toSecond: PolicyAction = { type: 'REDIRECT_TO_POOL', poolId: 'second' };

function everything(): BalancerSpec {
  const both = [one, two];
  const check = { delaySeconds: 1, timeoutSeconds: 1, rise: 1, fall: 1 };
  const nobody = memberSpec({ id: 'nobody', address: `${world.prefix}.250`, port: 9 });
  return balancerSpec({
    id: 'everything',
    addresses: [`${world.prefix}.1`],
    listeners: [
      listenerSpec({ id: 'cookie', port: PORTS.cookie, defaultPoolId: 'cookie' }),
      listenerSpec({ id: 'app', port: PORTS.appCookie, defaultPoolId: 'app-cookie' }),
      listenerSpec({ id: 'source-ip', port: PORTS.sourceIp, defaultPoolId: 'source-ip' }),
      listenerSpec({ id: 'source-port', port: PORTS.sourcePort, defaultPoolId: 'source-port' }),
      listenerSpec({ id: 'checked', port: PORTS.checked, defaultPoolId: 'checked' }),
      listenerSpec({ id: 'pinged', port: PORTS.pinged, defaultPoolId: 'pinged' }),
      listenerSpec({ id: 'backup', port: PORTS.backup, defaultPoolId: 'backup' }),
      listenerSpec({ id: 'tcp', port: PORTS.tcp, protocol: 'TCP' }),
      listenerSpec({
        id: 'headers',
        port: PORTS.headers,
        insertHeaders: ['X-Forwarded-For', 'X-Forwarded-Port', 'X-Forwarded-Proto'],
      }),
      listenerSpec({
        id: 'allowed',
        port: PORTS.allowed,
        allowedCidrs: [`${world.prefix}.200/32`, '2001:db8::/32'],
      }),
      listenerSpec({
        id: 'proxied',
        port: PORTS.proxied,
        protocol: 'TCP',
        defaultPoolId: 'proxied',
      }),
      listenerSpec({
        id: 'metrics',
        port: PORTS.metrics,
        protocol: 'PROMETHEUS',
        defaultPoolId: null,
      }),
      listenerSpec({
        id: 'layer7',
        port: PORTS.layer7,
        defaultPoolId: 'first',
        policies: policies(
          [toSecond, { compare: 'STARTS_WITH', value: '/second' }],
          [{ type: 'REJECT' }, { compare: 'EQUAL_TO', value: '/second/secret' }],
          [
            { type: 'REDIRECT_TO_URL', url: 'https://example.com/a?b=100%25&c=$HOME', code: 303 },
            { compare: 'ENDS_WITH', value: '/away' },
          ],
          [
            { type: 'REDIRECT_PREFIX', url: 'https://example.com', code: 308 },
            { type: 'HOST_NAME', compare: 'REGEX', value: String.raw`^old\.` },
          ],
          [toSecond, { type: 'FILE_TYPE', compare: 'EQUAL_TO', value: 'jpg' }],
          [toSecond, { type: 'HEADER', key: 'X-Tenant', compare: 'CONTAINS', value: 'blue' }],
          [
            toSecond,
            { type: 'COOKIE', key: 'who', compare: 'EQUAL_TO', value: 'me' },
            { compare: 'STARTS_WITH', value: '/not', invert: true },
          ],
          ...HOSTILE.map((value): [PolicyAction, Partial<RuleSpec>] => [
            toSecond,
            { type: 'HEADER', key: 'X-Hostile', compare: 'EQUAL_TO', value },
          ]),
        ),
      }),
    ],
    pools: [
      poolSpec({ members: both }),
      poolSpec({ id: 'first', members: [one] }),
      poolSpec({ id: 'second', members: [two] }),
      poolSpec({ id: 'cookie', members: both, persistence: { type: 'HTTP_COOKIE' } }),
      poolSpec({
        id: 'app-cookie',
        members: both,
        persistence: { type: 'APP_COOKIE', cookie: 'session' },
      }),
      poolSpec({ id: 'source-ip', members: both, algorithm: 'SOURCE_IP' }),
      poolSpec({ id: 'source-port', members: both, algorithm: 'SOURCE_IP_PORT' }),
      poolSpec({ id: 'proxied', protocol: 'PROXY', members: [proxied.member] }),
      poolSpec({
        id: 'checked',
        members: both,
        monitor: monitorSpec({
          ...check,
          http: {
            method: 'GET',
            path: '/health?only=two',
            expectedCodes: '200,204-206',
            version: 1.1,
            domain: 'checks.example.com',
          },
        }),
      }),
      poolSpec({
        id: 'pinged',
        members: [one, { ...nobody, address: '2001:db8::1' }],
        monitor: monitorSpec({ ...check, type: 'PING', http: null }),
      }),
      poolSpec({
        id: 'backup',
        members: [nobody, { ...two, backup: true }],
        monitor: monitorSpec({ ...check, type: 'TCP', http: null }),
      }),
    ],
  });
}

beforeAll(async () => {
  world = await ProxyWorld.start();
  one = await world.member('one', {}, ({ url }) => (url?.includes('only=two') ? 500 : 200));
  two = await world.member('two', {}, ({ headers, url }) =>
    url?.startsWith('/health') && headers.host !== 'checks.example.com' ? 400 : 200,
  );
  proxied = await hearing(`${world.prefix}.99`);
  await world.dataPlane.apply(everything(), { kind: 'host' });
});
afterAll(async () => {
  proxied.server.close();
  await world.end();
});

/** A member that stores its input, and answers everybody alike. */
async function hearing(address: string): Promise<typeof proxied> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      heard.push(chunk.toString());
      if (heard.join('').endsWith('hello')) socket.end('heard');
    });
  });
  await new Promise<void>((resolve) => server.listen(8080, address, resolve));
  return { server, heard, member: memberSpec({ id: 'hearing', address, port: 8080 }) };
}

const at = (port: number, path = '/'): string => `http://${world.prefix}.1:${port}${path}`;
const ask = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  get(at(PORTS.layer7, path), headers);
const memberFor = async (path: string, headers: Record<string, string> = {}): Promise<unknown> =>
  (await ask(path, headers)).headers['x-member'];

describe('session persistence', () => {
  it('works with a cookie that the load balancer sets', async () => {
    const first = await get(at(PORTS.cookie));
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    expect(cookie).toMatch(/^SRV=(one|two)$/);
    const members = await membersOf(at(PORTS.cookie), 5, { cookie });
    expect(new Set(members)).toEqual(new Set([first.headers['x-member']]));
    expect(new Set(await membersOf(at(PORTS.cookie), 4))).toEqual(new Set(['one', 'two']));
  });

  it('works with a cookie that members set', async () => {
    const first = await get(at(PORTS.appCookie, '/?cookie=session=abc'));
    expect(String(first.headers['set-cookie'])).toBe('session=abc');
    const members = await membersOf(at(PORTS.appCookie), 5, { cookie: 'session=abc' });
    expect(new Set(members)).toEqual(new Set([first.headers['x-member']]));
  });

  it('works by source address, while source address and port spread clients', async () => {
    for (const last of [201, 202, 203]) {
      const members = await membersOf(at(PORTS.sourceIp), 3, {}, `${world.prefix}.${last}`);
      expect(new Set(members).size).toBe(1);
    }
    const members = await membersOf(at(PORTS.sourcePort), 40);
    expect(new Set(members)).toEqual(new Set(['one', 'two']));
  });
});

describe('L7 policies', () => {
  it('send requests to another pool by path, file type, header and cookie', async () => {
    expect(await memberFor('/')).toBe('one');
    expect(await memberFor('/second/x')).toBe('two');
    expect(await memberFor('/a/b.jpg?x=y')).toBe('two');
    expect(await memberFor('/a/jpg')).toBe('one');
    expect(await memberFor('/', { 'x-tenant': 'light blue' })).toBe('two');
    expect(await memberFor('/', { cookie: 'a=b; who=me' })).toBe('two');
    expect(await memberFor('/not', { cookie: 'who=me' })).toBe('one');
  });

  it('reject requests before other actions', async () => {
    expect((await ask('/second/secret')).status).toBe(403);
  });

  it('redirect to exactly the URL that they name', async () => {
    const away = await ask('/second/away');
    expect([away.status, away.headers.location]).toEqual([
      303,
      'https://example.com/a?b=100%25&c=$HOME',
    ]);
    const old = await ask('/x?y', { host: 'old.example.com:8004' });
    expect([old.status, old.headers.location]).toEqual([308, 'https://example.com/x?y']);
  });

  it.each(HOSTILE)('compare exactly with the value: %s', async (value) => {
    expect(await memberFor('/', { 'x-hostile': value })).toBe('two');
    expect(await memberFor('/', { 'x-hostile': `${value}.` })).toBe('one');
  });
});

describe('a listener', () => {
  it('tells members about the client', async () => {
    const { body } = await get(at(PORTS.headers), { 'x-forwarded-proto': 'forged' });
    expect((JSON.parse(body) as { headers: object }).headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-port': String(PORTS.headers),
      'x-forwarded-proto': 'http',
    });
  });

  it('accepts connections from allowed networks only', async () => {
    expect((await get(at(PORTS.allowed), {}, `${world.prefix}.200`)).status).toBe(200);
    await expect(get(at(PORTS.allowed), {}, `${world.prefix}.201`)).rejects.toThrow(
      /reset|hang up/i,
    );
  });

  it('forwards bytes, and names the client by the PROXY protocol', async () => {
    expect((await get(at(PORTS.tcp))).status).toBe(200);
    const socket = connect(PORTS.proxied, `${world.prefix}.1`);
    socket.write('hello');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    expect(proxied.heard.join('')).toMatch(/^PROXY TCP4 127\.0\.0\.1 \S+ \d+ 8007\r\nhello$/);
  });

  it('serves metrics for Prometheus', async () => {
    const { body } = await get(at(PORTS.metrics, '/metrics'));
    expect(body).toContain('haproxy_frontend_connections_total{proxy="layer7"}');
    expect((await get(at(PORTS.metrics))).status).toBe(503);
  });
});

describe('health monitors', () => {
  const seen = async (id: string): Promise<string | undefined> =>
    (await world.dataPlane.statistics()).get('everything')?.checks.get(id);

  it('of HTTP use the path, host and status code', async () => {
    await eventually('only one of them is well', async () => {
      const members = new Set(await membersOf(at(PORTS.checked), 4));
      return members.size === 1 && members.has('two');
    });
    await eventually('it says why', async () => (await seen('one'))?.includes('500') ?? false);
  });

  it('that fail send traffic to backup members', async () => {
    await eventually('the reserve answers', async () => {
      const members = await membersOf(at(PORTS.backup), 1);
      return members[0] === 'two';
    });
  });

  it('send pings', async () => {
    await eventually('only one of them is well', async () => {
      const text = await world.ask('everything', 'show stat pinged:pinged 4 -1');
      return /,one,.*,UP,/.test(text) && /,nobody,.*,DOWN,/.test(text);
    });
  });
});
