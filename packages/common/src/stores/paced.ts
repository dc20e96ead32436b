import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Yields the chunks at no more than this many bytes a second, from the first on.
 * @throws the signal's reason, once it is aborted
 */
export async function* paced(
  chunks: AsyncIterable<Buffer>,
  bytesPerSecond: number,
  signal: AbortSignal,
): AsyncIterable<Buffer> {
  const began = performance.now();
  let bytes = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
    bytes += chunk.length;
    const early = (bytes / bytesPerSecond) * 1000 - (performance.now() - began);
    // A shorter delay is not worth a timer; later chunks make up for it.
    if (early > 5) await sleep(early, undefined, { signal });
  }
  signal.throwIfAborted();
}
