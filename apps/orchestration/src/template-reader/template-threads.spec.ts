import { afterEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TextLimits } from '../template/yaml/text-budget.js';
import { TemplateSyntaxError } from '../template/template.errors.js';
import { TemplateThreads, type TemplateThreadsOptions } from './template-threads.js';

const LIMITS: TextLimits = {
  maxBytes: 64 * 1024 * 1024,
  maxNodes: 10_000_000,
  maxDepth: 100,
  maxAliases: 100,
};

const made: TemplateThreads[] = [];

function threadsOf(options: Partial<TemplateThreadsOptions> = {}): TemplateThreads {
  const threads = new TemplateThreads({ threads: 1, seconds: 60, megabytes: 256, ...options });
  made.push(threads);
  return threads;
}

afterEach(async () => {
  await Promise.all(made.splice(0).map((threads) => threads.close()));
});

/** About ten lines for each resource. */
function templateOf(resources: number): string {
  const lines = Array.from({ length: resources }, (_, at) =>
    [
      `  server_${at}:`,
      '    type: OS::Nova::Server',
      '    properties:',
      `      name: "server ${at}"`,
      '      flavor: m1.tiny',
      '      networks:',
      '        - network: private',
      '      metadata:',
      `        index: ${at}`,
      '        kind: web',
    ].join('\n'),
  );
  return `heat_template_version: 2021-04-16\nresources:\n${lines.join('\n')}\n`;
}

describe('TemplateThreads', () => {
  it('run the work', async () => {
    const read = await threadsOf().run('p', 'parse', 'a: [1, two]', LIMITS, 'template');
    expect(read).toEqual({ a: [1, 'two'] });
  });

  it('do not block other work while a large template is read', async () => {
    const threads = threadsOf();
    const reading = threads.run('p', 'parse', templateOf(1_000), LIMITS, 'template');
    const isRead = (): Promise<boolean> =>
      Promise.race([reading.then(() => true), setImmediate(false)]);
    let turns = 0;
    while (!(await isRead())) turns += 1;
    expect(turns).toBeGreaterThan(100);
    expect(Object.keys((await reading) as object)).toContain('resources');
  });

  it('throw the errors of the work', async () => {
    const reading = threadsOf().run('p', 'parse', 'a: [', LIMITS, 'template');
    const error = await reading.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TemplateSyntaxError);
    expect(error).toMatchObject({ kind: 'invalid', name: 'TemplateSyntaxError' });
    expect((error as Error).message).toContain('line 1');
  });

  it('end work that takes too long, and continue with the next', async () => {
    const threads = threadsOf({ seconds: 0.001 });
    const reading = threads.run('p', 'parse', templateOf(20_000), LIMITS, 'template');
    await expect(reading).rejects.toThrow('Reading the template takes longer than 0.001 s.');
    await expect(threads.run('p', 'parse', templateOf(20_000), LIMITS, 'template')).rejects.toThrow(
      'Reading the template takes longer',
    );
  });

  it('end work that takes too much memory, and nothing else', async () => {
    const threads = threadsOf({ threads: 2, megabytes: 64 });
    const large = threads.run('p', 'parse', templateOf(60_000), LIMITS, 'template');
    const small = threads.run('q', 'parse', 'a: 1', LIMITS, 'template');
    await expect(large).rejects.toThrow('Reading the template takes more memory than 64 MB.');
    expect(await small).toEqual({ a: 1 });
    expect(await threads.run('p', 'parse', 'b: 2', LIMITS, 'template')).toEqual({ b: 2 });
  });

  it('fail work in progress when they are closed', async () => {
    const threads = threadsOf();
    const reading = [1, 2].map(() =>
      threads.run('p', 'parse', templateOf(20_000), LIMITS, 'template'),
    );
    const outcomes = Promise.allSettled(reading);
    await setImmediate();
    await threads.close();
    for (const { status } of await outcomes) expect(status).toBe('rejected');
    await expect(threads.run('p', 'parse', 'a: 1', LIMITS, 'template')).rejects.toMatchObject({
      kind: 'not-ready',
    });
  });

  it('do not keep the process alive', async () => {
    const program = fileURLToPath(new URL('one-reading.fixture.ts', import.meta.url));
    const options = [...process.execArgv, '--no-warnings', program];
    const { stdout } = await promisify(execFile)(process.execPath, options);
    expect(stdout).toBe('{"a":[1]}\n');
  });

  it('start no thread before the first work', async () => {
    await expect(threadsOf().close()).resolves.toBeUndefined();
  });
});
