/** A HAProxy driver in a temporary folder, with members that answer with their names. */
import type { Literal } from '@cumulet/common/languages/literal';
import { command } from './runtime/commands.js';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request, type Agent, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memberSpec } from '../balancer.fixture.js';
import type { MemberSpec } from '../balancer-spec.js';
import type { ProxyOptions } from './apply-balancer.js';
import { HaproxyDataPlane } from './haproxy-data-plane.js';
import { findAccounts, findProxyPrograms, type ProxyPrograms } from './process/command-line.js';
import { balancerFolder } from './process/balancer-folder.js';
import { findMaster } from './process/find-processes.js';
import { askWorker } from './process/proxy-socket.js';

export const MEMBER_PORT = 8080;

export async function proxyPrograms(): Promise<ProxyPrograms> {
  const programs = await findProxyPrograms('/usr/bin:/usr/sbin');
  if ('missing' in programs) throw new Error(`missing: ${programs.missing.join(', ')}`);
  return programs;
}

export async function proxyOptions(): Promise<ProxyOptions> {
  return {
    programs: await proxyPrograms(),
    accountOf: await findAccounts(),
    maxConnections: 2000,
    threads: 1,
    memoryBytes: 1024 ** 3,
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export class ProxyWorld {
  readonly #servers = new Map<string, Server>();

  private constructor(
    readonly dataDir: string,
    readonly options: ProxyOptions,
    readonly dataPlane: HaproxyDataPlane,
    /** The first part of its addresses, which other tests do not use. */
    readonly prefix: string,
  ) {}

  static async start(): Promise<ProxyWorld> {
    const dataDir = await mkdtemp(join(tmpdir(), 'haproxy-'));
    const options = await proxyOptions();
    const dataPlane = new HaproxyDataPlane(dataDir, options);
    const [second, third] = [64 + Math.random() * 180, Math.random() * 256].map(Math.floor);
    return new ProxyWorld(dataDir, options, dataPlane, `127.${second}.${third}`);
  }

  /**
   * Starts a member that answers with its name in the header `x-member`, and sets the query's cookie.
   */
  async member(
    name: string,
    fields: Partial<MemberSpec> = {},
    status: (request: IncomingMessage) => number = () => 200,
  ): Promise<MemberSpec> {
    const address = `${this.prefix}.${100 + this.#servers.size}`;
    const server = createServer((incoming, response) => {
      const cookie = /[?&]cookie=(.*)/.exec(incoming.url ?? '')?.[1];
      response.writeHead(status(incoming), {
        'x-member': name,
        ...(cookie !== undefined && { 'set-cookie': cookie }),
      });
      response.end(JSON.stringify({ name, url: incoming.url, headers: incoming.headers }));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(MEMBER_PORT, address, resolve);
    });
    this.#servers.set(name, server);
    return memberSpec({ id: name, address, port: MEMBER_PORT, ...fields });
  }

  /** The answer of the process with a load balancer's traffic. */
  ask<const Text extends string>(id: string, text: Literal<Text>): Promise<string> {
    return askWorker(balancerFolder(this.dataPlane.root, id), command(text));
  }

  /** The process with a load balancer's traffic. */
  async worker(id: string): Promise<number> {
    return Number(/^Pid: (\d+)/m.exec(await this.ask(id, 'show info'))?.[1]);
  }

  /** Fields of `/proc/<pid>/status`. */
  async processStatus(pid: number): Promise<(field: string) => string> {
    const text = await readFile(`/proc/${pid}/status`, 'utf8');
    return (field) => new RegExp(`^${field}:\\s*(.*)$`, 'm').exec(text)?.[1] ?? '';
  }

  async master(id: string): Promise<number> {
    const pid = await findMaster(balancerFolder(this.dataPlane.root, id));
    if (pid === undefined) throw new Error(`${id} has no master`);
    return pid;
  }

  async stopMember(name: string): Promise<void> {
    const server = this.#servers.get(name);
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  }

  async end(): Promise<void> {
    const items = await this.dataPlane.inventory();
    for (const { id } of items) await this.dataPlane.remove(id);
    for (const name of this.#servers.keys()) await this.stopMember(name);
    await rm(this.dataDir, { recursive: true });
  }
}

/** One request, on a new connection unless an agent keeps it alive. */
export function get(
  url: string,
  headers: Record<string, string> = {},
  localAddress?: string,
  agent: Agent | false = false,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers, agent, ...(localAddress && { localAddress }) });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    outgoing.end();
  });
}

/** The members that answer consecutive requests. */
export async function membersOf(url: string, count: number, ...more: unknown[]): Promise<string[]> {
  const [headers, localAddress] = more as [Record<string, string>?, string?];
  const names: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const { status, headers: answered } = await get(url, headers, localAddress);
    names.push(String(answered['x-member'] ?? status));
  }
  return names;
}
