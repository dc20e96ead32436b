/** Health checks of an API that may be hostile. */
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { Health } from '../cluster-engine.js';
import { aNode } from '../../rows.fixture.js';
import { aKubernetesNode, startFakeApi, type FakeApi } from './kubernetes-api.fixture.js';
import { kubernetesHealth } from './kubernetes-health.js';

let api: FakeApi;

beforeAll(async () => {
  api = await startFakeApi();
});
afterAll(() => api.stop());

const NEVER = new AbortController().signal;

function look(nodes = [aNode(1)], lookMs?: number, signal = NEVER): Promise<Health> {
  return kubernetesHealth({ ...api.access, signal }, nodes, lookMs);
}

/** Ready, with pages of nodes. */
function ready(nodes: readonly object[]): void {
  api.answer = ({ url }, response) => {
    const { pathname, searchParams } = new URL(url ?? '', api.access.server);
    if (pathname === '/readyz') {
      response.end('ok');
      return;
    }
    const from = Number(searchParams.get('continue') ?? 0);
    const to = from + Number(searchParams.get('limit') ?? nodes.length);
    const metadata = to < nodes.length ? { continue: String(to) } : {};
    response.end(JSON.stringify({ metadata, items: nodes.slice(from, to) }));
  };
}

/** Ready, with this answer instead of nodes. */
function listed(answer: (response: ServerResponse) => void): void {
  api.answer = ({ url }, response) => {
    if (url === '/readyz') response.end('ok');
    else answer(response);
  };
}

/** An endless trickle of bytes. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('.'), 5);
  response.on('close', () => clearInterval(timer));
}

describe('a cluster that answers', () => {
  it('is healthy with two hundred nodes of realistic size', async () => {
    const nodes = Array.from({ length: 200 }, (_, index) => aNode(index));
    ready(nodes.map(({ name }) => aKubernetesNode(name)));
    const { status, reason } = await look(nodes);
    expect([status, Object.keys(reason).length]).toEqual(['HEALTHY', 201]);
  });

  it('is unhealthy with an unready node, whose message is shortened', async () => {
    ready([aKubernetesNode('web-node-1', 'Unknown', `Stopped\u0000 \ud800${'.'.repeat(9_000)}`)]);
    const { status, reason } = await look();
    expect(status).toBe('UNHEALTHY');
    expect(reason['web-node-1.Ready']).toMatch(/^Unknown: Stopped {1,3}\.{200,300}…$/);
  });

  it('shows some unexpected nodes, by names of limited length', async () => {
    const strange = (index: number) => aKubernetesNode(`${index}-${'x'.repeat(999)}`);
    ready([
      ...Array.from({ length: 50 }, (_, index) => strange(index)),
      aKubernetesNode('web-node-1'),
    ]);
    const { status, reason } = await look();
    const names = Object.keys(reason);
    expect([status, names.length]).toEqual(['HEALTHY', 22]);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThan(270);
  });

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['an error', (response) => response.writeHead(500).end(), /nodes answers 500/],
    ['no JSON', (response) => response.end('<html>'), /did not answer with a list of nodes/],
    ['no list', (response) => response.end('{"items":{}}'), /did not answer with a list of nodes/],
    [
      'no names',
      (response) => response.end('{"items":[{"metadata":{"name":1}}]}'),
      /list of nodes/,
    ],
    [
      'no nodes',
      (response) => response.end('{"items":[null]}'),
      /did not answer with a list of nodes/,
    ],
    [
      'pages without an end',
      (response) => response.end('{"metadata":{"continue":"more"},"items":[]}'),
      /more than 2000 nodes/,
    ],
  ])('is unhealthy with %s in the place of its nodes', async (_, answer, words) => {
    listed(answer);
    expect(await look()).toEqual({
      status: 'UNHEALTHY',
      reason: { api: expect.stringMatching(words) },
    });
  });

  it('is unhealthy because of the first failed check', async () => {
    const text = `[+]ping ok\n[-]etcd failed: reason withheld\n[-]log failed`;
    api.answer = (_, response) => {
      response.writeHead(500).end(text);
    };
    expect(await look()).toEqual({
      status: 'UNHEALTHY',
      reason: { api: 'etcd failed: reason withheld' },
    });
  });
});

describe('a cluster that answers endlessly', () => {
  it.each([
    [
      '/readyz',
      () => {
        api.answer = (_, response) => {
          drip(response);
        };
      },
    ],
    ['its nodes', () => listed(drip)],
  ])('at %s is given up after the time of one look', async (_, begin) => {
    begin();
    expect(await look([aNode(1)], 500)).toEqual({
      status: 'UNKNOWN',
      reason: { api: 'The API could not be reached: no answer within 0.5 s.' },
    });
  });

  it('is read up to a few megabytes', async () => {
    const chunk = Buffer.alloc(64 * 1024, ' ');
    let written = 0;
    listed((response) => {
      const more = (): void => {
        if (response.destroyed || written > 64 * 1024 * 1024) {
          response.end();
          return;
        }
        written += chunk.length;
        response.write(chunk, () => setImmediate(more));
      };
      more();
    });
    expect(await look()).toMatchObject({ status: 'UNKNOWN' });
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it('is abandoned at shutdown, without a result', async () => {
    const stopping = new AbortController();
    api.answer = (_, response) => {
      drip(response);
      stopping.abort();
    };
    await expect(look([aNode(1)], undefined, stopping.signal)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
