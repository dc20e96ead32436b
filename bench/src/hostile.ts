/**
 * Two promises. Of single requests, see `hostile-holds.ts`. Of crowds: while hostile clients log in
 * badly, trickle bodies and send the costliest filters that are taken, another project's reads keep a p99
 * under five times that of a quiet cloud, and nothing answers 5xx. Quiet and hostile rounds take turns, so
 * that the machine's other load affects both.
 */
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { Agent, get } from 'node:http';
import { asBearer } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { accessKeyOf } from './access-key.js';
import { BUCKET } from './bucket.js';
import { createServers } from './create-servers.js';
import { measureHolds } from './hostile-holds.js';
import { median } from './measure.js';
import { presigned, signedForm } from './presigned.js';
import { startProcess } from './processes.js';
import type { CloudFacts, HostileFacts } from './protocol.js';
import { logIn, loginBody } from './start-cloud.js';
import { printRow } from './table.js';

const ROUNDS = 3;
const SECONDS = 8;
/** Concurrent reads: as a dashboard's, not as a load test's. */
const READERS = 4;
/** What the hostile project has: its quota of servers. */
const SERVERS = 10;
/** With which each name is as long as names may be. */
const LONG_NAME = 'h'.repeat(252);

interface Times {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export async function measureHostile(): Promise<void> {
  const { child, facts: cloud } = await startProcess<CloudFacts>('./cloud-process.js');
  await measureCrowd(cloud);
  await measureRequestsOf(child, cloud);
}

/** Each kind of hostile request by itself, once nothing else is asked. */
async function measureRequestsOf(child: ChildProcess, cloud: CloudFacts): Promise<void> {
  const { token, projectId, login } = cloud;
  const url = new URL(cloud.computeUrl).origin;
  const key = { url: cloud.s3Url, ...(await accessKeyOf({ url, token, projectId })) };
  const s3 = (method: string, query: string): string =>
    presigned(key, method, `/${BUCKET}${query}`);
  const bucket = await fetch(s3('PUT', ''), { method: 'PUT' });
  if (!bucket.ok) throw new Error(`the bucket was answered ${bucket.status}`);
  const image = await fetch(`${url}/image/v2/images`, {
    method: 'POST',
    headers: { 'X-Auth-Token': token, 'Content-Type': 'application/json' },
    body: '{"name":"patched"}',
  });
  const { id: imageId } = (await image.json()) as { id: string };
  const form = signedForm(key, BUCKET);
  const world = { url, token, login: JSON.parse(login) as object, imageId, s3, form };
  await measureHolds(child, world, process.env['HOSTILE_ONLY']);
}

async function measureCrowd(cloud: CloudFacts): Promise<void> {
  const baseUrl = new URL(cloud.computeUrl).origin;
  const token = await hostileToken(baseUrl, cloud.adminLogin);
  await createServers(baseUrl, token, { count: SERVERS, name: LONG_NAME });
  const reads = [
    `${cloud.computeUrl}/servers/detail`,
    `${cloud.computeUrl}/servers/${cloud.serverId}`,
    `${cloud.imagesUrl}/v2/images`,
    `${cloud.identityUrl}/v3/auth/projects`,
  ];
  await read(reads, cloud.token);
  const rounds: { quiet: Times[]; hostile: Times[] }[] = [];
  const answers: Record<string, Record<string, number>> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    const quiet = await read(reads, cloud.token);
    const crowd = await startProcess<HostileFacts>('./hostile-process.js', [baseUrl, token]);
    const hostile = await read(reads, cloud.token);
    crowd.child.send('stop');
    const [{ statuses }] = (await once(crowd.child, 'message')) as [HostileFacts];
    crowd.child.disconnect();
    await once(crowd.child, 'exit');
    add(answers, statuses);
    rounds.push({ quiet, hostile });
  }
  printRow(['', 'p50 ms', 'p99 ms', 'hostile p50 ms', 'hostile p99 ms', 'p99 ratio']);
  for (const [at, url] of reads.entries()) {
    const of = (pick: (quiet: Times, hostile: Times) => number): number =>
      median(rounds.map(({ quiet, hostile }) => pick(quiet[at] as Times, hostile[at] as Times)));
    printRow([
      `GET ${new URL(url).pathname.replace(cloud.serverId, '{id}')}`,
      of((quiet) => quiet.p50).toFixed(1),
      of((quiet) => quiet.p99).toFixed(1),
      of((_, hostile) => hostile.p50).toFixed(1),
      of((_, hostile) => hostile.p99).toFixed(1),
      of((quiet, hostile) => hostile.p99 / quiet.p99).toFixed(1),
    ]);
  }
  for (const [kind, counts] of Object.entries(answers)) {
    const texts = Object.entries(counts).map(([status, number]) => `${number} x ${status}`);
    process.stdout.write(`${kind} were answered ${texts.join(', ')}\n`);
  }
  const failed = Object.values(answers).flatMap((counts) =>
    Object.keys(counts).filter((status) => !/^[234]/.test(status)),
  );
  if (failed.length > 0) throw new Error(`hostile clients were answered ${failed.join(', ')}`);
}

/** Of a member of a new project. */
async function hostileToken(baseUrl: string, adminLogin: object): Promise<string> {
  const admin = await logIn(baseUrl, adminLogin);
  const identity = new ServiceClient({ service: 'identity', baseUrl: `${baseUrl}/identity` });
  const actor = asBearer(admin.token);
  const send = (method: 'GET' | 'POST' | 'PUT', path: string, json?: object): Promise<unknown> =>
    identity
      .send({ method, path: `/v3${path}`, actor, ...(json ? { json } : {}) })
      .then(({ body }) => body);
  const name = 'hostile';
  const made = (await send('POST', '/projects', { project: { name } })) as Made<'project'>;
  const user = { name, password: name };
  const { user: her } = (await send('POST', '/users', { user })) as Made<'user'>;
  const { roles } = (await send('GET', '/roles?name=member')) as { roles: { id: string }[] };
  await send('PUT', `/projects/${made.project.id}/users/${her.id}/roles/${roles[0]?.id ?? ''}`);
  await identity.close();
  return (await logIn(baseUrl, loginBody(name, name))).token;
}

type Made<Resource extends string> = Readonly<Record<Resource, { readonly id: string }>>;

/**
 * Reads each address in turn, for some seconds.
 * @returns times by address
 * @throws Error when an answer was not a success
 */
async function read(urls: readonly string[], token: string): Promise<Times[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: READERS });
  const times = urls.map((): number[] => []);
  const end = performance.now() + SECONDS * 1_000;
  const reader = async (first: number): Promise<void> => {
    for (let at = first; performance.now() < end; at = (at + 1) % urls.length)
      times[at]?.push(await readOnce(urls[at] ?? '', token, agent));
  };
  await Promise.all(Array.from({ length: READERS }, (_, at) => reader(at % urls.length)));
  agent.destroy();
  return times.map((list) => ({ p50: at(list, 0.5), p99: at(list, 0.99) }));
}

/** @returns milliseconds until the whole answer is there */
async function readOnce(url: string, token: string, agent: Agent): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'X-Auth-Token': token } }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`${url} answered ${response.statusCode ?? 0}`));
      response.resume().once('end', () => resolve(performance.now() - began));
    }).once('error', reject);
  });
}

function at(values: readonly number[], quantile: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * quantile)] ?? Number.NaN;
}

function add(sum: Record<string, Record<string, number>>, more: HostileFacts['statuses']): void {
  for (const [kind, counts] of Object.entries(more)) {
    const ofKind = (sum[kind] ??= {});
    for (const [status, number] of Object.entries(counts))
      ofKind[status] = (ofKind[status] ?? 0) + number;
  }
}
