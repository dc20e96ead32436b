import { phase, type Phase, type Scope } from '@cumulet/common/reconcile/reconciler';
import { RowGoneError } from '@cumulet/common/states/transition';
import type { Image } from '../images/image.entity.js';
import { imageStates } from '../images/image.states.js';
import type { ImageWorkRepository } from '../images/image-work.repository.js';

/** The longest that the download of a deleted image goes on. */
const LOOK_MS = 2_000;

/**
 * A phase that gets the row as it is when it begins, and ends early if the image is deleted in the
 * middle.
 */
export function importPhase(
  name: string,
  images: Pick<ImageWorkRepository, 'find' | 'isUnmoved'>,
  run: (scope: Scope<Image>) => Promise<void>,
  lookMs = LOOK_MS,
): Phase<Image> {
  return phase(name, async ({ ctx, row: { id, generation }, signal }: Scope<Image>) => {
    const gone = new RowGoneError(imageStates.resource, id);
    const row = await images.find(ctx, id);
    if (row?.generation !== generation) throw gone;
    const lost = new AbortController();
    const look = async (): Promise<void> => {
      // If it is unknown whether the import is still wanted, it goes on.
      const isWanted = await images.isUnmoved(ctx, row).catch(() => true);
      if (!isWanted) lost.abort(gone);
    };
    const timer = setInterval(() => void look(), lookMs);
    timer.unref();
    try {
      await run({ ctx, row, signal: AbortSignal.any([signal, lost.signal]) });
    } finally {
      clearInterval(timer);
    }
  });
}
