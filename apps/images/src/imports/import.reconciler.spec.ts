import { describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import type { Scope } from '@cumulet/common/reconcile/reconciler';
import { RowGoneError } from '@cumulet/common/states/transition';
import { eventually } from '@cumulet/testing/settle';
import { Image } from '../images/image.entity.js';
import { importPhase } from './import.reconciler.js';

const loaded: Image = Object.assign(new Image(), { id: asId('image'), generation: 3 });
const now: Image = Object.assign(new Image(), loaded, { stagedSize: 7 });

interface Rows {
  readonly image?: Image | undefined;
  readonly isUnmoved?: () => Promise<boolean>;
}

async function during(
  { image, isUnmoved = () => Promise.resolve(true) }: Rows,
  run: (scope: Scope<Image>) => Promise<void>,
  signal = new AbortController().signal,
): Promise<void> {
  const images = { find: () => Promise.resolve(image), isUnmoved };
  const ctx = RequestContext.system('req-test', undefined as never);
  await importPhase('one', images, run, 1).run({ ctx, row: loaded, signal });
}

/** Runs until aborted, and throws the reason. */
const obedient = ({ signal }: Scope<Image>): Promise<void> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('a phase of an import', () => {
  it('gets the current row', async () => {
    let seen: unknown;
    await during({ image: now }, ({ row }) => Promise.resolve(void (seen = row)));
    expect(seen).toEqual(now);
  });

  it.each([
    ['the image is gone', {}],
    ['the import has ended', { image: Object.assign(new Image(), now, { generation: 4 }) }],
  ])('does not begin where %s', async (_, rows) => {
    await expect(during(rows, () => Promise.resolve())).rejects.toThrow(RowGoneError);
  });

  it('is aborted once its image is gone', async () => {
    const isUnmoved = (): Promise<boolean> => Promise.resolve(false);
    await expect(during({ image: now, isUnmoved }, obedient)).rejects.toThrow(RowGoneError);
  });

  it('is aborted with its run', async () => {
    const stopping = new AbortController();
    const held = during({ image: now }, obedient, stopping.signal);
    stopping.abort(new Error('the service stops'));
    await expect(held).rejects.toThrow('the service stops');
  });

  it('continues if the image cannot be checked', async () => {
    let looks = 0;
    const isUnmoved = (): Promise<boolean> => Promise.reject(new Error(`away, ${(looks += 1)}`));
    const run = (): Promise<void> => eventually('it was looked twice', () => looks >= 2);
    await expect(during({ image: now, isUnmoved }, run)).resolves.toBeUndefined();
  });
});
