/** Trusts of stacks: none is left without a stack. */
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { UnavailableError } from '@cumulet/common/errors/domain-error';
import { looseTrusts } from '@cumulet/common/trusts/loose-trust.repository';
import { LooseTrustsSweep } from '@cumulet/common/trusts/loose-trusts.sweep';
import type { Stack } from '../../rows/stack.entity.js';
import { TestEngine } from '../engine.fixture.js';
import { template } from '../template.fixture.js';
import { Trusts, type TrustColumns } from './trusts.js';

let engine: TestEngine;
let trusts: Trusts;
let sweep: LooseTrustsSweep;
const logger = { warn: () => undefined };

beforeAll(async () => {
  engine = await TestEngine.start({ types: [] });
  trusts = new Trusts(engine.ports, logger);
  sweep = new LooseTrustsSweep(engine.ports, engine.stacks, logger);
});
afterAll(() => engine.stop());

afterEach(async () => {
  jest.restoreAllMocks();
  engine.endedTrusts.length = 0;
  engine.givenTrusts.length = 0;
  await engine.dataSource.query('DELETE FROM loose_trusts');
});

const of = (projectId: string): RequestContext =>
  new RequestContext({ ...engine.ctx.fields, projectId: asId(projectId) });

const kept = async (): Promise<number> => {
  const rows: unknown[] = await engine.dataSource.query('SELECT FROM loose_trusts');
  return rows.length;
};

const grow = (): Promise<unknown> =>
  engine.dataSource.query(`UPDATE loose_trusts SET created_at = now() - interval '1 hour'`);

const away = (): Promise<never> => Promise.reject(new UnavailableError('Identity is away.'));

it('keeps the trust of a stack that cannot get another', async () => {
  jest.spyOn(engine.ports, 'createTrust').mockImplementation((_, expiresAt) => {
    engine.givenTrusts.push({ id: 'used', expiresAt });
    return away();
  });
  await engine.create(template({}), { trustId: 'used' });
  await engine.create(template({}), { trustId: 'last', formerTrustIds: ['former'] });
  await looseTrusts.add(engine.ctx, ['former', 'loose']);
  await expect(trusts.withNew(engine.ctx, away)).rejects.toThrow('away');
  await grow();
  await sweep.end(engine.ctx);
  expect([engine.endedTrusts, await kept()]).toEqual([['loose'], 0]);
});

describe('an action on a stack', () => {
  const acted = async (
    ctx: RequestContext,
    stack: Stack,
    how: 'renewed' | 'renewedIfPossible',
  ): Promise<TrustColumns> => trusts[how](ctx, stack, (columns) => Promise.resolve(columns));

  const made = (trustId: string): Promise<Stack> =>
    engine.create(template({}), { trustId, projectId: asId('p1') });

  it('by a user of its project replaces the trust', async () => {
    const stack = await made('t1');
    expect(await acted(of('p1'), stack, 'renewed')).toMatchObject({ formerTrustIds: ['t1'] });
  });

  it('by a user of another project keeps the trust', async () => {
    const stack = await made('t2');
    expect(await acted(of('admins'), stack, 'renewed')).toEqual({});
    expect(await acted(of('admins'), stack, 'renewedIfPossible')).toEqual({});
  });

  it('by a user of another project uses their own trust for a deletion when no other is left', async () => {
    const stack = await made('t3');
    engine.endedTrusts.push('t3');
    expect(await acted(of('admins'), stack, 'renewedIfPossible')).toMatchObject({
      formerTrustIds: ['t3'],
    });
  });
});
