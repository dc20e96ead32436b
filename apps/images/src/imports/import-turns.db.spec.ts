/** The order of imports, and those that wait. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { inTransaction } from '@cumulet/common/database/transaction';
import { createLogger } from '@cumulet/common/observe/logger';
import { reconcilerSweep } from '@cumulet/common/reconcile/reconciler-sweep';
import { transition } from '@cumulet/common/states/transition';
import { insertImage } from '../images/image-row.fixture.js';
import type { Image } from '../images/image.entity.js';
import { imageStates } from '../images/image.states.js';
import { nudgeImage } from '../images/image.tasks.js';
import { ImageWorkRepository } from '../images/image-work.repository.js';
import { ImportWorld } from './import-world.fixture.js';

const DATA = Buffer.from('a raw disk');
const LIMIT = 2;
const ONE = asId<ProjectId>('one');
const OTHER = asId<ProjectId>('other');

const turns = new ImageWorkRepository();

let world: ImportWorld;

beforeAll(async () => {
  world = await ImportWorld.start({ importsPerProject: LIMIT });
});
afterAll(() => world.stop());
afterEach(async () => {
  await world.clear();
  await world.ctx.manager.query('DELETE FROM jobs');
});

const waiting = (owner: ProjectId, fields: Partial<Image> = {}): Promise<Image> =>
  world.importing(DATA, { owner, state: 'import_waiting', ...fields });

/** The maximum number of running imports of a project. */
async function atWork(owner: ProjectId, count = LIMIT): Promise<Image[]> {
  const images = Array.from({ length: count }, () =>
    insertImage(world.ctx, { owner, state: 'importing' }),
  );
  return Promise.all(images);
}

async function end({ id }: Image): Promise<void> {
  await world.ctx.manager.query(
    `UPDATE images SET state = 'queued', staged_data_id = NULL, staged_size = NULL WHERE id = $1`,
    [id],
  );
}

const secondsAgo = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

describe('an import', () => {
  it('waits while its project has the maximum number running', async () => {
    const [first] = await atWork(ONE);
    const { id } = await waiting(ONE);
    expect(await world.run(id)).toBe('waiting');
    expect(await world.row(id)).toMatchObject({ state: 'import_waiting' });
    expect(await world.task(id)).toMatchObject({ status: 'pending' });
    await end(first as Image);
    expect(await world.run(id)).toBe('done');
    expect(await world.row(id)).toMatchObject({ state: 'active' });
  });

  it('does not wait for those of other projects', async () => {
    await atWork(ONE, 10);
    expect(await world.run((await waiting(OTHER)).id)).toBe('done');
  });

  it('comes after those of its project that have waited longer', async () => {
    await atWork(ONE, LIMIT - 1);
    const older = await waiting(ONE, { stateSince: secondsAgo(60) });
    const younger = await waiting(ONE, { stateSince: secondsAgo(30) });
    expect(await world.run(younger.id)).toBe('waiting');
    expect(await world.run(older.id)).toBe('done');
    expect(await world.run(younger.id)).toBe('done');
  });

  it('of staged data does not wait for older downloads', async () => {
    for (let count = 0; count < LIMIT; count += 1) {
      await insertImage(world.ctx, {
        owner: ONE,
        state: 'import_waiting',
        stagedDataId: null,
        stagedSize: null,
        stateSince: secondsAgo(60),
      });
    }
    expect(await world.run((await waiting(ONE)).id)).toBe('done');
  });

  it('does not share the last turn', async () => {
    const images = await Promise.all(Array.from({ length: 6 }, () => waiting(ONE)));
    const taken = await Promise.all(
      images.map((image) =>
        inTransaction(world.ctx, async (tx) => {
          if (!(await turns.isTurnOf(tx, image, LIMIT))) return false;
          await transition(tx, imageStates, image.id, 'beginImport');
          return true;
        }),
      ),
    );
    expect(taken.filter(Boolean)).toHaveLength(LIMIT);
  });

  it('has its full time once it begins, however long it has waited', async () => {
    const { id } = await waiting(ONE, { stateDeadline: new Date(Date.now() + 30_000) });
    let begun: Image | undefined;
    let status = '';
    world.store.beforePut = async () => {
      begun = await world.row(id);
      ({ status } = await world.task(id));
    };
    expect(await world.run(id)).toBe('done');
    expect(begun?.state).toBe('importing');
    const left = Number(begun?.stateDeadline) - Date.now();
    expect(left / 1000).toBeGreaterThan((imageStates.states.importing.deadline ?? 0) - 60);
    expect(status).toBe('processing');
  });

  it('stops waiting eventually, and says why', async () => {
    await atWork(ONE);
    const { id } = await waiting(ONE, { stateDeadline: secondsAgo(41) });
    await world.sweep(reconcilerSweep([world.reconciler], createLogger('test', 'silent')));
    const { state, stateReason, stagedDataId } = await world.row(id);
    expect([state, stagedDataId]).toEqual(['queued', null]);
    expect(await world.task(id)).toMatchObject({ status: 'failure', message: stateReason });
  });
});

describe('the sweep', () => {
  const sweep = (): Promise<void> => world.reconciler.wakeImports(world.ctx);

  /** An import that has to wait. */
  async function asleep(owner: ProjectId, waitingFor: number): Promise<Image> {
    const image = await waiting(owner, { stateSince: secondsAgo(waitingFor) });
    await nudgeImage(world.ctx, image, 30_000);
    return image;
  }

  async function awake(): Promise<string[]> {
    const rows: { id: string }[] = await world.ctx.manager.query(
      'SELECT id FROM jobs WHERE run_at <= now()',
    );
    return rows.map(({ id }) => id);
  }

  it('wakes the import whose turn has come, and no other', async () => {
    const [first] = await atWork(ONE);
    const images = [await asleep(ONE, 20), await asleep(ONE, 30), await asleep(ONE, 10)];
    await sweep();
    expect(await awake()).toEqual([]);
    await end(first as Image);
    await sweep();
    expect(await awake()).toEqual([images[1]?.id]);
  });

  it('wakes as many as may run at once', async () => {
    const images = [await asleep(ONE, 20), await asleep(ONE, 30), await asleep(ONE, 10)];
    await sweep();
    expect((await awake()).sort()).toEqual([images[0]?.id, images[1]?.id].sort());
  });
});
