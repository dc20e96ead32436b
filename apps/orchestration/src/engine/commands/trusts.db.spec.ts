/** Trusts that are made for stacks: none is left that no stack has. */
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError, UnavailableError } from '@cumulet/common/errors/domain-error';
import type { Stack } from '../../stacks/stack.entity.js';
import { looseTrusts } from '../../trusts/loose-trust.repository.js';
import { LooseTrustsSweep } from '../../trusts/loose-trusts.sweep.js';
import { TestEngine } from '../engine.fixture.js';
import type { EnginePorts } from '../engine-ports.js';
import { template } from '../template.fixture.js';
import { Trusts, type TrustColumns } from './trusts.js';

let engine: TestEngine;
let trusts: Trusts;
let sweep: LooseTrustsSweep;
const logger = { warn: () => undefined };

beforeAll(async () => {
  engine = await TestEngine.start({ types: [] });
  trusts = new Trusts(engine.ports, logger);
  sweep = new LooseTrustsSweep(engine.ports, logger);
});
afterAll(() => engine.stop());

afterEach(async () => {
  jest.restoreAllMocks();
  engine.endedTrusts.length = 0;
  engine.givenTrusts.length = 0;
  await engine.dataSource.query('DELETE FROM loose_trusts');
});

/** Has identity answer otherwise, until the end of the test. */
function answer<K extends 'createTrust' | 'endTrust'>(name: K, as: EnginePorts[K]): void {
  jest.spyOn(engine.ports, name).mockImplementation(as as never);
}

const of = (projectId: string): RequestContext =>
  new RequestContext({ ...engine.ctx.fields, projectId: asId(projectId) });

const kept = async (): Promise<number> => {
  const rows: unknown[] = await engine.dataSource.query('SELECT FROM loose_trusts');
  return rows.length;
};

const grow = (): Promise<unknown> =>
  engine.dataSource.query(`UPDATE loose_trusts SET created_at = now() - interval '1 hour'`);

const away = (): Promise<never> => Promise.reject(new UnavailableError('Identity is away.'));

describe('a trust', () => {
  it('is written down while nothing has it, and not any longer', async () => {
    await trusts.withNew(engine.ctx, async () => {
      expect(await kept()).toBe(1);
    });
    expect(await kept()).toBe(0);
  });

  it('ends with the request that fails', async () => {
    const failing = trusts.withNew(engine.ctx, () => Promise.reject(new Error('No room.')));
    await expect(failing).rejects.toThrow('No room.');
    expect([engine.endedTrusts.length, await kept()]).toEqual([1, 0]);
  });

  it('that identity refuses is not looked for', async () => {
    answer('createTrust', () => Promise.reject(new ForbiddenError('No.')));
    await expect(trusts.withNew(engine.ctx, away)).rejects.toThrow('No.');
    expect(await kept()).toBe(0);
  });

  it('whose answer is lost is found by the moment at which it expires, and ends', async () => {
    answer('createTrust', (_, expiresAt) => {
      engine.givenTrusts.push({ id: 'lost', expiresAt });
      engine.givenTrusts.push({ id: 'other', expiresAt: new Date(expiresAt.getTime() + 1) });
      engine.givenTrusts.push({ id: 'another', expiresAt: null });
      return away();
    });
    await expect(trusts.withNew(engine.ctx, away)).rejects.toThrow('away');
    await sweep.end(engine.ctx);
    expect(engine.endedTrusts).toEqual([]);
    await grow();
    await sweep.end(engine.ctx);
    expect([engine.endedTrusts, await kept()]).toEqual([['lost'], 0]);
  });

  it('that a stack has is left to it', async () => {
    answer('createTrust', (_, expiresAt) => {
      engine.givenTrusts.push({ id: 'used', expiresAt });
      return away();
    });
    await engine.create(template({}), { trustId: 'used' });
    await expect(trusts.withNew(engine.ctx, away)).rejects.toThrow('away');
    await grow();
    await sweep.end(engine.ctx);
    expect([engine.endedTrusts, await kept()]).toEqual([[], 0]);
  });

  it('that cannot be ended yet is ended later', async () => {
    answer('createTrust', (_, expiresAt) => {
      engine.givenTrusts.push({ id: 'stubborn', expiresAt });
      return Promise.resolve('stubborn');
    });
    answer('endTrust', away);
    const failing = trusts.withNew(engine.ctx, () => Promise.reject(new Error('No room.')));
    await expect(failing).rejects.toThrow('No room.');
    await grow();
    await sweep.end(engine.ctx);
    expect(await kept()).toBe(1);
  });

  it('that cannot be ended keeps no other', async () => {
    await looseTrusts.add(engine.ctx, ['stubborn', 'willing']);
    const ended: string[] = [];
    answer('endTrust', (one) =>
      one === 'stubborn' ? away() : Promise.resolve(void ended.push(one)),
    );
    await grow();
    await sweep.end(engine.ctx);
    expect([ended, await kept()]).toEqual([['willing'], 1]);
  });
});

describe('who acts on a stack', () => {
  const acted = async (
    ctx: RequestContext,
    stack: Stack,
    how: 'renewed' | 'renewedIfPossible',
  ): Promise<TrustColumns> => trusts[how](ctx, stack, (columns) => Promise.resolve(columns));

  const made = (trustId: string): Promise<Stack> =>
    engine.create(template({}), { trustId, projectId: asId('p1') });

  it('of its project has it go on in their name', async () => {
    const stack = await made('t1');
    expect(await acted(of('p1'), stack, 'renewed')).toMatchObject({ formerTrustIds: ['t1'] });
  });

  it('of another project leaves it in the name in which it was', async () => {
    const stack = await made('t2');
    expect(await acted(of('admins'), stack, 'renewed')).toEqual({});
    expect(await acted(of('admins'), stack, 'renewedIfPossible')).toEqual({});
  });

  it('of another project deletes it in their own name where nobody else’s is left', async () => {
    const stack = await made('t3');
    engine.endedTrusts.push('t3');
    expect(await acted(of('admins'), stack, 'renewedIfPossible')).toMatchObject({
      formerTrustIds: ['t3'],
    });
  });
});
