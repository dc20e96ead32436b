/**
 * Gives back the memory of a start. A start leaves a third of the heap as garbage, which V8 collects
 * only once it needs room; an idle process would keep it for ever.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds after the start, when what it has begun is over. */
const DELAY_MS = 5_000;

/** It takes a pause of some 0.1 s. */
export function forgetStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
  }, DELAY_MS).unref();
}
