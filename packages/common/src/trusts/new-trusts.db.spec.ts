/** Trusts that are made for rows: none is left that no row holds. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { DataSource } from 'typeorm';
import { RequestContext } from '../context/request-context.js';
import { createDataSource } from '../database/data-source.js';
import { RequestTransaction } from '../context/request-transaction.js';
import { inTransaction } from '../database/transaction.js';
import { ForbiddenError, UnavailableError } from '../errors/domain-error.js';
import { newRequestId } from '../context/request-id.js';
import { LooseTrust } from './loose-trust.entity.js';
import { looseTrusts } from './loose-trust.repository.js';
import { LooseTrusts1798300000000 } from './loose-trusts.migration.js';
import { LooseTrustsSweep } from './loose-trusts.sweep.js';
import { NewTrusts } from './new-trusts.js';
import type { GivenTrust, TrustAuthority, TrustHolders } from './trust-ports.js';

const away = (): Promise<never> => Promise.reject(new UnavailableError('Identity is away.'));
const logger = { warn: () => undefined };

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;

const open = (url: string): DataSource =>
  createDataSource({
    url,
    poolSize: 4,
    applicationName: 'trusts',
    entities: [LooseTrust],
    migrations: [LooseTrusts1798300000000],
  });

beforeAll(async () => {
  database = await createTestDatabase({ name: 'trusts', dataSource: open });
  dataSource = await open(database.url).initialize();
  ctx = RequestContext.system(newRequestId(), dataSource.manager);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Identity, and the service's rows, as a test has them answer. */
class World implements TrustAuthority, TrustHolders {
  readonly given: GivenTrust[] = [];
  readonly ended: string[] = [];
  readonly held = new Set<string>();

  createTrust(_: RequestContext, expiresAt: Date): Promise<string> {
    const id = `trust-${this.given.length}`;
    this.given.push({ id, expiresAt });
    return Promise.resolve(id);
  }

  isTrustValid(trustId: string): Promise<boolean> {
    return Promise.resolve(!this.ended.includes(trustId));
  }

  givenTrusts(): Promise<readonly GivenTrust[]> {
    return Promise.resolve(this.given);
  }

  endTrust(trustId: string): Promise<void> {
    this.ended.push(trustId);
    return Promise.resolve();
  }

  heldTrusts(): Promise<ReadonlySet<string>> {
    return Promise.resolve(this.held);
  }
}

let world: World;
let trusts: NewTrusts;
let sweep: LooseTrustsSweep;

beforeEach(async () => {
  await dataSource.query('DELETE FROM loose_trusts');
  world = new World();
  trusts = new NewTrusts(world, logger);
  sweep = new LooseTrustsSweep(world, world, logger);
});

const kept = async (): Promise<number> => {
  const rows: unknown[] = await dataSource.query('SELECT FROM loose_trusts');
  return rows.length;
};

/** Has identity make the trusts, and its answers be lost. */
function loseAnswers(): void {
  const make = world.createTrust.bind(world);
  world.createTrust = async (...args) => {
    await make(...args);
    return away();
  };
}

const grow = (): Promise<unknown> =>
  dataSource.query(`UPDATE loose_trusts SET created_at = now() - interval '1 hour'`);

describe('a trust', () => {
  it('is recorded until a row refers to it', async () => {
    await trusts.withNew(ctx, async () => {
      expect(await kept()).toBe(1);
    });
    expect(await kept()).toBe(0);
  });

  it('ends with a failed request', async () => {
    const failing = trusts.withNew(ctx, () => Promise.reject(new Error('No room.')));
    await expect(failing).rejects.toThrow('No room.');
    expect([world.ended, await kept()]).toEqual([['trust-0'], 0]);
  });

  it('that identity refuses is not searched for', async () => {
    world.createTrust = () => Promise.reject(new ForbiddenError('No.'));
    await expect(trusts.withNew(ctx, away)).rejects.toThrow('No.');
    expect(await kept()).toBe(0);
  });

  it('whose answer is lost is found by its expiry, and ended', async () => {
    loseAnswers();
    await expect(trusts.withNew(ctx, away)).rejects.toThrow('away');
    const expiresAt = world.given[0]?.expiresAt?.getTime() ?? 0;
    world.given.push({ id: 'other', expiresAt: new Date(expiresAt + 1) });
    world.given.push({ id: 'another', expiresAt: null });
    await sweep.end(ctx);
    expect(world.ended).toEqual([]);
    await grow();
    await sweep.end(ctx);
    expect([world.ended, await kept()]).toEqual([['trust-0'], 0]);
  });

  it('that a row refers to is kept', async () => {
    loseAnswers();
    await expect(trusts.withNew(ctx, away)).rejects.toThrow('away');
    world.held.add('trust-0');
    await grow();
    await sweep.end(ctx);
    expect([world.ended, await kept()]).toEqual([[], 0]);
  });

  it('that cannot be ended yet is ended later', async () => {
    world.endTrust = away;
    const failing = trusts.withNew(ctx, () => Promise.reject(new Error('No room.')));
    await expect(failing).rejects.toThrow('No room.');
    await grow();
    await sweep.end(ctx);
    expect(await kept()).toBe(1);
  });

  it('that cannot be ended does not block others', async () => {
    await looseTrusts.add(ctx, ['stubborn', 'willing']);
    const end = world.endTrust.bind(world);
    world.endTrust = (one) => (one === 'stubborn' ? away() : end(one));
    await grow();
    await sweep.end(ctx);
    expect([world.ended, await kept()]).toEqual([['willing'], 1]);
  });
});

it('of a keyed request is recorded until its row is committed', async () => {
  const held = new RequestTransaction(dataSource, () => Promise.resolve());
  const keyed = new RequestContext({ ...ctx.fields, held });
  await trusts.withNew(keyed, () => inTransaction(keyed, (tx) => tx.manager.query('SELECT 1')));
  expect(await kept()).toBe(1);
  await held.commit();
  expect(await kept()).toBe(0);
});

it('ends those of a deleted row, and retries failures later', async () => {
  await looseTrusts.add(ctx, ['stubborn', 'willing']);
  const end = world.endTrust.bind(world);
  world.endTrust = (one) => (one === 'stubborn' ? away() : end(one));
  await trusts.endAll(ctx, ['stubborn', 'willing']);
  expect([world.ended, await kept()]).toEqual([['willing'], 1]);
});
