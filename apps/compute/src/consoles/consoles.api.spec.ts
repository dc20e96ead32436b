/** Consoles of servers: who gets an address, in one process and through another. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@cumulet/testing/free-port';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, unknownId, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';
import { SimulatedHypervisor } from '../hypervisor/simulated-hypervisor.js';
import { ConsoleClient } from './console-client.fixture.js';
import { ConsoleTokens } from './console-token.repository.js';

let compute: ComputeFixture;
/** The host with the servers. */
let host: ComputeFixture;
let id: string;

beforeAll(async () => {
  compute = await startCompute({
    config: { host: 'small' },
    hypervisor: new SimulatedHypervisor({ host: { memoryMb: 600 } }),
  });
  const port = await freePort();
  host = await startCompute({
    beside: compute,
    config: { host: 'large', port, hostApiUrl: `http://127.0.0.1:${port}` },
  });
  id = await compute.buildServer();
});

afterAll(async () => {
  await host.stop();
  await compute.stop();
});

const at = (minor: number): Record<string, string> => ({
  'OpenStack-API-Version': `compute 2.${minor}`,
});

function ask(
  remote_console: object,
  { through = compute, minor = 6, server = id, token = compute.token } = {},
): Promise<TestResponse> {
  return through.client.post(`/servers/${server}/remote-consoles`, {
    token,
    headers: at(minor),
    body: { remote_console },
  });
}

async function urlOf(type: 'novnc' | 'serial', through = compute): Promise<URL> {
  const protocol = type === 'novnc' ? 'vnc' : 'serial';
  const response = await ask({ protocol, type }, { through });
  expect([response.status, response.body]).toEqual([
    200,
    { remote_console: { protocol, type, url: expect.any(String) } },
  ]);
  return new URL((response.body as { remote_console: { url: string } }).remote_console.url);
}

/** The WebSocket's address, found as the page finds it. */
function streamOf(url: URL): string {
  const path = url.searchParams.get('path');
  if (path === null) return url.href;
  const stream = new URL(path, url);
  stream.protocol = 'ws:';
  return stream.href;
}

const PROCESSES: [string, () => ComputeFixture][] = [
  ['the process of its host', () => host],
  ['another process', () => compute],
];

describe.each(PROCESSES)('through %s, a server has', (_name, through) => {
  it('a serial console, which shows what it writes and takes what is typed', async () => {
    const console = await ConsoleClient.open((await urlOf('serial', through())).href);
    console.type('hello\r');
    await console.shows('hello\r\nno guest really runs\r\n');
    const again = await ConsoleClient.open((await urlOf('serial', through())).href);
    again.type('from another');
    await console.shows('from another');
    console.close();
    again.close();
    await Promise.all([console.closed(), again.closed()]);
    expect(await host.hypervisor.consoles.consoleOutput(id)).toContain('from another');
  });

  it('a screen, which speaks the protocol of VNC', async () => {
    const console = await ConsoleClient.open(streamOf(await urlOf('novnc', through())));
    await console.shows('RFB 003.008\n');
    console.type('RFB 003.008\n');
    await console.shows('RFB 003.008\n\u0001\u0001');
    console.close();
  });
});

describe('an address', () => {
  const isRefused = async (url: string): Promise<void> => {
    const console = await ConsoleClient.open(url);
    await console.closed();
    expect(console.text).toBe('');
  };

  it('opens a console once', async () => {
    const { href } = await urlOf('serial');
    const console = await ConsoleClient.open(href);
    console.type('first');
    await console.shows('first');
    await isRefused(href);
    console.close();
  });

  it('opens nothing without its token, or for another type', async () => {
    const url = await urlOf('serial');
    const token = url.searchParams.get('token') ?? '';
    await isRefused(url.href.replace(token, `bad${token}`));
    await isRefused(url.origin + url.pathname);
    await isRefused(url.href.replace('/serial', '/novnc'));
    await isRefused(url.href.replace('/serial', '/spice'));
    const console = await ConsoleClient.open(url.href);
    console.type('still there');
    await console.shows('still there');
    console.close();
  });

  it('opens nothing once it has expired, and is deleted', async () => {
    const { href } = await urlOf('serial');
    const { dataSource } = compute.app;
    await dataSource.query("UPDATE console_tokens SET expires_at = now() - interval '1 second'");
    await isRefused(href);
    await compute.app.nest.get(ConsoleTokens).forgetExpired(compute.ctx);
    expect(await dataSource.query('SELECT 1 FROM console_tokens')).toEqual([]);
  });

  it('is stored only as a hash', async () => {
    const token = (await urlOf('serial')).searchParams.get('token') ?? '';
    const rows: object[] = await compute.app.dataSource.query('SELECT * FROM console_tokens');
    expect(rows).not.toEqual([]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify([...compute.logs, ...host.logs])).not.toContain(token);
  });

  it('ends with the machine', async () => {
    const server = await compute.buildServer();
    const body = { remote_console: { protocol: 'serial', type: 'serial' } };
    const response = await ask(body.remote_console, { server });
    const { url } = (response.body as { remote_console: { url: string } }).remote_console;
    const console = await ConsoleClient.open(url);
    await compute.client.delete(`/servers/${server}`, { token: compute.token });
    await console.closed();
    await compute.settle();
  });

  it('shows an administrator where the console is', async () => {
    const admin = await compute.tokens.issue(['admin']);
    const token = (await urlOf('serial')).searchParams.get('token') ?? '';
    const path = `/os-console-auth-tokens/${token}`;
    const show = (minor: number, as = admin): Promise<TestResponse> =>
      compute.client.get(path, { token: as, headers: at(minor) });
    expect((await show(31)).body).toEqual({
      console: {
        instance_uuid: id,
        host: '127.0.0.1',
        port: host.config.port,
        internal_access_path: '/consoles/serial',
      },
    });
    expect((await show(30)).status).toBe(400);
    expect((await show(31, compute.token)).status).toBe(403);
    const unknown = await compute.client.get('/os-console-auth-tokens/none', {
      token: admin,
      headers: at(31),
    });
    expectError(unknown, 404, 'itemNotFound', 'Token not found');
  });
});

describe('a console is refused', () => {
  it.each([
    [{ protocol: 'spice', type: 'spice-html5' }, 'Unavailable console type spice-html5.'],
    [{ protocol: 'spice', type: 'novnc' }, 'Unavailable console type novnc.'],
    [{ protocol: 'rdp', type: 'rdp-html5' }, 'Unavailable console type rdp.'],
    [{ protocol: 'mks', type: 'webmks' }, 'Unavailable console type webmks.'],
    [{ protocol: 'vnc', type: 'xvpvnc' }, 'Invalid console type xvpvnc'],
    [{ protocol: 'vnc', type: 'serial' }, 'Invalid console type serial'],
  ])('of an unsupported type: %j', async (wanted, message) => {
    expectError(await ask(wanted, { minor: 8 }), 400, 'badRequest', message);
  });

  it.each([
    [{ protocol: 'telnet', type: 'serial' }],
    [{ protocol: 'vnc' }],
    [{ protocol: 'vnc', type: 'novnc', port: 1 }],
  ])('of an invalid type: %j', async (wanted) => {
    expect((await ask(wanted)).status).toBe(400);
  });

  it('that came with a later microversion', async () => {
    expect((await ask({ protocol: 'mks', type: 'webmks' }, { minor: 7 })).status).toBe(400);
    expect((await ask({ protocol: 'vnc', type: 'novnc' }, { minor: 5 })).status).toBe(404);
  });

  it('of an unknown server, or one of another project', async () => {
    const wanted = { protocol: 'vnc', type: 'novnc' };
    expect((await ask(wanted, { server: unknownId() })).status).toBe(404);
    const token = await compute.tokens.issue(['member'], { projectId: unknownId() });
    expect((await ask(wanted, { token })).status).toBe(404);
  });

  it('of a server that is off', async () => {
    const server = await compute.buildServer();
    const body = { 'os-stop': null };
    await compute.client.post(`/servers/${server}/action`, { token: compute.token, body });
    await compute.settle();
    expectError(
      await ask({ protocol: 'serial', type: 'serial' }, { server }),
      409,
      'conflictingRequest',
      `Cannot 'get_serial_console' instance ${server} while it is in vm_state stopped`,
    );
  });

  it('of a server without a host', async () => {
    const response = await compute.createServer({ flavorRef: '1', name: 'nowhere' });
    const server = (response.body as { server: { id: string } }).server.id;
    await compute.settle();
    await compute.app.dataSource.query('UPDATE servers SET host = NULL WHERE id = $1', [server]);
    expectError(
      await ask({ protocol: 'vnc', type: 'novnc' }, { server }),
      409,
      'conflictingRequest',
      `Instance ${server} is not ready`,
    );
  });
});

describe('the actions of before 2.6', () => {
  const act = (body: object, minor = 1): Promise<TestResponse> => compute.act(id, body, { minor });

  it.each([
    ['os-getVNCConsole', 'novnc'],
    ['os-getSerialConsole', 'serial'],
  ])('%s answers with the console', async (name, type) => {
    const response = await act({ [name]: { type } });
    expect([response.status, response.body]).toEqual([
      200,
      { console: { type, url: expect.stringContaining('token') } },
    ]);
    const { url } = (response.body as { console: { url: string } }).console;
    const console = await ConsoleClient.open(streamOf(new URL(url)));
    console.close();
    expect((await act({ [name]: { type } }, 6)).status).toBe(404);
  });

  it.each([
    ['os-getSPICEConsole', 'spice-html5', 'Unavailable console type spice-html5.'],
    ['os-getSPICEConsole', 'novnc', /type must be one of/],
    ['os-getVNCConsole', 'xvpvnc', 'Invalid console type xvpvnc'],
    ['os-getVNCConsole', 'serial', /type must be one of/],
    ['os-getSerialConsole', 'novnc', /type must be one of/],
    ['os-getRDPConsole', 'rdp-html5', /^The server could not comply with the request/],
    ['os-getRDPConsole', 'none', /^The server could not comply with the request/],
  ])('%s refuses %s', async (name, type, message) => {
    expectError(await act({ [name]: { type } }), 400, 'badRequest', message);
    expect((await act({ [name]: { type } }, 6)).status).toBe(404);
  });
});

describe('the pages of consoles', () => {
  const get = (path: string): Promise<Response> => fetch(`${compute.app.address ?? ''}${path}`);

  it.each(['vnc.html', 'serial'])('%s loads only what this service serves', async (name) => {
    const response = await get(`/consoles/${name}?token=secret`);
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links).not.toEqual([]);
    for (const link of links) expect((await get(`/consoles/${link}`)).status).toBe(200);
  });

  it('find every module of noVNC and xterm.js that they import', async () => {
    const seen = new Set<string>();
    const load = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
      const script = await response.text();
      const imports = script.matchAll(/^(?:import|export)\b[^'";]*?from\s*['"](\.[^'"]+)['"]/gm);
      for (const [, from = ''] of imports) await load(new URL(from, `http://x${path}`).pathname);
    };
    await load('/consoles/vnc.js');
    await load('/consoles/serial.js');
    expect(seen.size).toBeGreaterThan(20);
  });

  it.each(['novnc/package.json', 'novnc/../ws/package.json', 'novnc/%2e%2e/ws/index.js', 'x'])(
    'have no file %s',
    async (name) => {
      expect((await get(`/consoles/assets/${name}`)).status).toBe(404);
    },
  );
});
