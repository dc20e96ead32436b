/** How long the event loop of a measured process is held, reported over Node's IPC channel on request. */
import type { ChildProcess } from 'node:child_process';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

const QUESTION = 'loop';

export interface LoopAnswer {
  readonly kind: 'loop';
  /** Milliseconds, since the last request, in which the loop ran code. */
  readonly activeMs: number;
  /** Milliseconds since the last request, by the clock. */
  readonly elapsedMs: number;
  /** The longest that it was held at once. */
  readonly longestMs: number;
}

/** In the measured process. */
export function watchLoop(): void {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  let before = performance.eventLoopUtilization();
  process.on('message', (message) => {
    if (message !== QUESTION) return;
    const now = performance.eventLoopUtilization();
    const { active, idle } = performance.eventLoopUtilization(now, before);
    const longestMs = delays.max / 1e6;
    process.send?.({
      kind: 'loop',
      activeMs: active,
      elapsedMs: active + idle,
      longestMs,
    } satisfies LoopAnswer);
    delays.reset();
    before = now;
  });
}

/** In the measuring process. */
export async function heldLoop(child: ChildProcess): Promise<LoopAnswer> {
  const answer = new Promise<LoopAnswer>((resolve) => child.once('message', resolve));
  child.send(QUESTION);
  return answer;
}
