import { jest, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DevCloud } from './dev-cloud.mjs';
import { isLoadedByCloud } from './watch-sources.mjs';

let processes;
let said;
let cloud;

/** A process whose loading and end the test decides. */
function launch() {
  const events = [];
  let load, end;
  const loaded = new Promise((resolve) => (load = resolve));
  const ended = new Promise((resolve) => (end = resolve));
  const process = { events, load, end };
  processes.push(process);
  return {
    loaded,
    ended,
    go: () => events.push('go'),
    kill: (signal) => {
      events.push(signal);
      if (signal === 'SIGKILL') load(false);
      end(0);
    },
  };
}

const settled = () => jest.advanceTimersByTimeAsync(100);
const save = async (path = 'apps/s3/src/a.ts') => {
  cloud.saved(path);
  await settled();
};

beforeEach(async () => {
  jest.useFakeTimers();
  processes = [];
  said = [];
  cloud = new DevCloud(launch, (line) => said.push(line));
  cloud.begin();
  processes[0].load(true);
  await settled();
});
afterEach(() => jest.useRealTimers());

describe('DevCloud', () => {
  it('starts the cloud once its sources are loaded', () => {
    expect(processes[0].events).toEqual(['go']);
  });

  it('stops the running cloud only once another has loaded', async () => {
    await save();
    expect(processes[0].events).toEqual(['go']);
    processes[1].load(true);
    await settled();
    expect(processes[0].events).toEqual(['go', 'SIGTERM']);
    expect(processes[1].events).toEqual(['go']);
  });

  it('loads once for files that are saved together', async () => {
    cloud.saved('apps/s3/src/a.ts');
    await save('apps/s3/src/b.ts');
    expect(processes).toHaveLength(2);
  });

  it('keeps the running cloud if the saved sources cannot be loaded', async () => {
    await save();
    processes[1].load(false);
    await settled();
    expect(processes[0].events).toEqual(['go']);
    expect(said.at(-1)).toMatch(/cannot be loaded/);
  });

  it('gives up what it is loading when another file is saved', async () => {
    await save();
    await save();
    processes[2].load(true);
    await settled();
    expect(processes[1].events).toEqual(['SIGKILL']);
    expect(processes[2].events).toEqual(['go']);
  });

  it('starts again at the next save after the cloud has ended by itself', async () => {
    processes[0].end(1);
    await settled();
    expect(said.at(-1)).toMatch(/has ended/);
    await save();
    processes[1].load(true);
    await settled();
    expect(processes[1].events).toEqual(['go']);
  });

  it('passes a signal on once, ends what is loading, and starts nothing more', async () => {
    await save();
    expect(await cloud.end('SIGINT')).toBe(0);
    expect(processes[0].events).toEqual(['go', 'SIGINT']);
    expect(processes[1].events).toEqual(['SIGKILL']);
    await save();
    expect(processes).toHaveLength(2);
  });
});

describe('isLoadedByCloud', () => {
  it.each(['apps/s3/src/main.ts', 'packages/common/src/http/server.ts'])('%s is', (path) => {
    expect(isLoadedByCloud(path)).toBe(true);
  });

  it.each([
    'apps/s3/src/a.spec.ts',
    'apps/s3/src/a.db.spec.ts',
    'apps/s3/src/a.fixture.ts',
    'apps/s3/src/.a.ts.swp',
    'apps/s3/src/.#a.ts',
    'apps/s3/dist/a.d.ts',
    'packages/testing/src/a.ts',
  ])('%s is not', (path) => {
    expect(isLoadedByCloud(path)).toBe(false);
  });
});
