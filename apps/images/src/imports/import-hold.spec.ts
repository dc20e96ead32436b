import { describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createLogger } from '@cumulet/common/observe/logger';
import { RowGoneError } from '@cumulet/common/states/transition';
import { eventually } from '@cumulet/testing/settle';
import { Image } from '../images/image.entity.js';
import type { ImageRepository } from '../images/image.repository.js';
import { Task } from '../tasks/task.entity.js';
import type { TaskRepository } from '../tasks/task.repository.js';
import { ImportHold } from './import-hold.js';
import type { ImportRepository } from './import.repository.js';

const image: Image = Object.assign(new Image(), { id: asId('image'), state: 'importing' });
const task: Task = Object.assign(new Task(), { id: asId('task') });

interface Rows {
  readonly image?: Partial<Image> | undefined;
  readonly task?: Task | undefined;
  readonly isRunning?: () => Promise<boolean>;
}

function during(
  rows: Rows,
  phase: Parameters<ImportHold['during']>[1],
  signal = new AbortController().signal,
): Promise<void> {
  const hold = new ImportHold(
    { find: () => Promise.resolve(rows.image) } as unknown as ImageRepository,
    { findRunning: () => Promise.resolve(rows.task) } as unknown as TaskRepository,
    {
      isRunning: rows.isRunning ?? (() => Promise.resolve(true)),
    } as unknown as ImportRepository,
    createLogger('test', 'silent'),
  );
  const ctx = RequestContext.system('req-test', undefined as never);
  return hold.during({ ctx, row: image, signal }, phase, 1);
}

/** Ends when it is asked to, with the reason that it is given. */
const obedient: Parameters<ImportHold['during']>[1] = ({ signal }) =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('ImportHold', () => {
  it('gives a phase the rows as they are now', async () => {
    let seen: unknown;
    await during({ image, task }, (work) => Promise.resolve(void (seen = work)));
    expect(seen).toMatchObject({ image, task });
  });

  it.each([
    ['the image is gone', { task }],
    ['the image does not import any more', { image: { state: 'queued' as const }, task }],
    ['the import has ended', { image }],
  ])('begins no phase where %s', async (_, rows) => {
    await expect(during(rows, () => Promise.resolve())).rejects.toThrow(RowGoneError);
  });

  it('asks a phase to end once its image is gone', async () => {
    const isRunning = (): Promise<boolean> => Promise.resolve(false);
    await expect(during({ image, task, isRunning }, obedient)).rejects.toThrow(RowGoneError);
  });

  it('asks a phase to end when its own run has to', async () => {
    const stopping = new AbortController();
    const held = during({ image, task }, obedient, stopping.signal);
    stopping.abort(new Error('the service stops'));
    await expect(held).rejects.toThrow('the service stops');
  });

  it('lets a phase go on where nobody can say whether it should', async () => {
    let looks = 0;
    const isRunning = (): Promise<boolean> => Promise.reject(new Error(`away, ${(looks += 1)}`));
    const phase = (): Promise<void> => eventually('it was looked twice', () => looks >= 2);
    await expect(during({ image, task, isRunning }, phase)).resolves.toBeUndefined();
  });
});
