/**
 * Hostile clients: bad logins, bodies that trickle, and the costliest filters that lists take, all
 * with a valid token of a project of their own.
 */
import { connect } from 'node:net';
import { report, reportOf, type HostileFacts } from './protocol.js';

const LOGINS_PER_SECOND = 100;
const TRICKLING = 200;
const FILTERING = 16;
/** How often a trickling client sends another byte, and how long it rests once it is cut off. */
const TRICKLE_MS = 1_000;

const [baseUrl = '', token = ''] = process.argv.slice(2);
const statuses: Record<string, Record<string, number>> = {};
let isOver = false;

function count(kind: string, status: number | string): void {
  const ofKind = (statuses[kind] ??= {});
  ofKind[status] = (ofKind[status] ?? 0) + 1;
}

/** Users that do not exist cost as much as those that do, and are never locked out. */
async function logInBadly(at: number): Promise<void> {
  const user = { name: `nobody-${at}`, domain: { id: 'default' }, password: 'wrong' };
  const response = await fetch(`${baseUrl}/identity/v3/auth/tokens`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ auth: { identity: { methods: ['password'], password: { user } } } }),
  });
  await response.arrayBuffer();
  count('bad logins', response.status);
}

/** To a route that anyone may call, or one that takes the token: a body that never ends. */
function trickle(at: number): void {
  const { hostname, port } = new URL(baseUrl);
  const [path, headers] =
    at % 2 === 0
      ? ['/identity/v3/auth/tokens', '']
      : ['/compute/v2.1/servers', `X-Auth-Token: ${token}\r\n`];
  const socket = connect(Number(port), hostname);
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`);
  const bytes = setInterval(() => socket.write(' '), TRICKLE_MS);
  socket.once('data', (answer) => {
    count('trickling bodies', answer.toString('latin1').split(' ')[1] ?? 'none');
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clearInterval(bytes);
    if (!isOver) setTimeout(() => trickle(at), TRICKLE_MS);
  });
}

/**
 * As long as they may be, and with as many ways to match as they can have: nested repetitions, which
 * fail at the last letter, and lists and conditions that fill an address.
 */
const FILTERS: readonly string[] = [
  `/compute/v2.1/servers/detail?name=${encodeURIComponent(`${'(h.*'.repeat(32)}${')*'.repeat(32)}x`)}`,
  `/compute/v2.1/servers/detail?name=${encodeURIComponent(`(${'.*h?'.repeat(62)})x`)}`,
  `/image/v2/images?name=in:${Array.from({ length: 500 }, (_, at) => at).join(',')}`,
  `/image/v2/images?${Array.from({ length: 100 }, (_, at) => `property-${at}=x`).join('&')}`,
];

async function filter(at: number): Promise<void> {
  while (!isOver) {
    const path = FILTERS[at % FILTERS.length] ?? '';
    const response = await fetch(baseUrl + path, { headers: { 'X-Auth-Token': token } });
    await response.arrayBuffer();
    count('filters', response.status);
  }
}

function start(): Promise<HostileFacts> {
  let logins = 0;
  setInterval(() => {
    const attempt = logInBadly(logins++);
    attempt.catch((error: unknown) => count('bad logins', String((error as Error).cause)));
  }, 1_000 / LOGINS_PER_SECOND);
  for (let at = 0; at < TRICKLING; at += 1) trickle(at);
  for (let at = 0; at < FILTERING; at += 1)
    filter(at).catch((error: unknown) => count('filters', String((error as Error).cause)));
  return Promise.resolve({ kind: 'hostile', statuses });
}

process.once('message', () => {
  isOver = true;
  report({ kind: 'hostile', statuses });
});
await reportOf(start);
