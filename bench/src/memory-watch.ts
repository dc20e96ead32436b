/** The memory of a measured process, reported over Node's IPC channel on request. */
import type { ChildProcess } from 'node:child_process';

const EVERY_MS = 10;
const QUESTION = 'memory';

interface MemoryAnswer {
  readonly kind: 'memory';
  /** The peak of resident bytes since the last request. */
  readonly peakBytes: number;
}

/** In the measured process. */
export function watchMemory(): void {
  let peakBytes = 0;
  setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), EVERY_MS).unref();
  process.on('message', (message) => {
    if (message !== QUESTION) return;
    const now = process.memoryUsage.rss();
    process.send?.({ kind: 'memory', peakBytes: Math.max(peakBytes, now) } satisfies MemoryAnswer);
    peakBytes = now;
  });
}

/** In the measuring process. @returns the peak of resident bytes since it was last asked */
export async function peakMemory(child: ChildProcess): Promise<number> {
  const answer = new Promise<MemoryAnswer>((resolve) => child.once('message', resolve));
  child.send(QUESTION);
  return (await answer).peakBytes;
}
