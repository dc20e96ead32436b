import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { trace } from '@opentelemetry/api';
import { startTracing } from './tracing.js';

describe('a stop', () => {
  let collector: Server;
  let answer: (response: ServerResponse) => void;
  const unanswered: ServerResponse[] = [];

  beforeEach(async () => {
    collector = createServer((_, response) => answer(response));
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    trace.disable();
    for (const response of unanswered.splice(0)) refuse(response);
    collector.close();
  });

  function refuse(response: ServerResponse): void {
    response.writeHead(400, { Connection: 'close' }).end();
  }

  async function stopped(): Promise<void> {
    const { port } = collector.address() as AddressInfo;
    const stop = await startTracing(`http://127.0.0.1:${port}`, 'test');
    trace.getTracer('test').startSpan('last').end();
    await stop();
  }

  it('does not wait for a collector that never answers', async () => {
    answer = (response) => unanswered.push(response);
    await stopped();
    await eventually('the collector was asked', () => unanswered.length === 1);
  });

  it('succeeds if the collector refuses everything', async () => {
    answer = refuse;
    await expect(stopped()).resolves.toBeUndefined();
  });
});
