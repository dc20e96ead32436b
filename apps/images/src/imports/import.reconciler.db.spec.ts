import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { StoreFullError } from '@cumulet/storage/stores/store.errors';
import { reconcilerSuite, type ReconcilerCase } from '@cumulet/testing/reconciler-suite';
import type { Image } from '../images/image.entity.js';
import type { ImageEvent, ImageState } from '../images/image.states.js';
import { ImportWorld } from './import-world.fixture.js';
import { WebServer } from './web-download/web-server.fixture.js';

const DATA = Buffer.from('a raw disk');

const PHASES = ['ensureDownloaded', 'ensureInspected', 'ensureConverted', 'storeData'];

let web: WebServer;
let answer: Parameters<typeof WebServer.start>[0];
let world: ImportWorld;

beforeAll(async () => {
  web = await WebServer.start((request, response) => answer(request, response));
  world = await ImportWorld.start({ webDownloadPorts: [web.port] });
});
afterAll(async () => {
  await world.stop();
  await web.stop();
});
afterEach(() => world.clear());

const withLength: typeof answer = (_, response) => response.end(DATA);
const withoutLength: typeof answer = (_, response) => {
  response.write(DATA.subarray(0, 2));
  response.end(DATA.subarray(2));
};

type Case = ReconcilerCase<Image, ImageState, ImageEvent>;

const common: Omit<Case, 'arrange'> = {
  state: 'importing',
  phases: PHASES,
  reconciler: () => world.reconciler,
  ctx: (): RequestContext => world.ctx,
  world: () => [...world.store.ids].sort(),
  expectDone: async (id) => {
    const { dataId, ...image } = await world.row(id);
    expect(image).toMatchObject({
      state: 'active',
      size: DATA.length,
      virtualSize: DATA.length,
      stagedDataId: null,
      stagedSize: null,
      announcedSize: null,
      stateReason: null,
    });
    expect(await world.read(dataId)).toEqual(DATA);
    expect([...world.store.ids]).toEqual([dataId]);
    expect(await world.task(id)).toMatchObject({ status: 'success', result: { image_id: id } });
  },
  expectFailed: async (id, reason) => {
    const image = await world.row(id);
    expect(image).toMatchObject({
      state: 'queued',
      stateReason: reason,
      dataId: null,
      stagedDataId: null,
      stagedSize: null,
      announcedSize: null,
      virtualSize: null,
    });
    expect(await world.task(id)).toMatchObject({ status: 'failure', message: reason });
    expect([...world.store.ids]).toEqual([]);
  },
};

describe('of staged data', () => {
  reconcilerSuite({ ...common, arrange: async () => (await world.importing(DATA)).id });
});

describe('of a waiting import', () => {
  reconcilerSuite({
    ...common,
    state: 'import_waiting',
    phases: ['takeTurn'],
    arrange: async () => (await world.importing(DATA, { state: 'import_waiting' })).id,
  });
});

describe.each([
  { size: 'announced', answered: withLength },
  { size: 'unknown', answered: withoutLength },
])('of data on the web whose size is $size', ({ answered }) => {
  reconcilerSuite({
    ...common,
    arrange: async () => {
      answer = answered;
      return (await world.downloading(web.url('/'))).id;
    },
  });
});

it('ends if the store fails before reading a byte', async () => {
  const { id } = await world.importing(Buffer.alloc(5_000_000));
  world.store.beforePut = () => Promise.reject(new StoreFullError('image', new Error('no room')));
  expect(await world.run(id)).toBe('failed');
  expect(await world.row(id)).toMatchObject({ stateReason: 'The image store is full.' });
});
