/** Scripted faults of a simulated driver: calls that fail, or wait. */

export interface Hold {
  /** Resolves once a call has reached the hold. */
  readonly reached: Promise<void>;
  /** Releases the calls that wait, and all later ones. */
  release(): void;
}

interface OpenHold {
  arrive(): void;
  readonly released: Promise<void>;
}

export class ScriptedFaults<Method extends string> {
  private readonly failures = new Map<Method, (Error | undefined)[]>();
  private readonly holds = new Map<Method, OpenHold>();

  /** The next `times` calls after `after` throw `error`, and change nothing. */
  failNext(method: Method, error: Error, times = 1, after = 0): void {
    const queue = this.failures.get(method) ?? [];
    const passed = Array<undefined>(after).fill(undefined);
    this.failures.set(method, [...queue, ...passed, ...Array<Error>(times).fill(error)]);
  }

  /** Calls of `method` wait, before they do anything, until the hold is released. */
  hold(method: Method): Hold {
    const reached = deferred();
    const released = deferred();
    this.holds.set(method, { arrive: reached.resolve, released: released.promise });
    return {
      reached: reached.promise,
      release: () => {
        this.holds.delete(method);
        released.resolve();
      },
    };
  }

  /** Begins every method of the driver. */
  async before(method: Method): Promise<void> {
    const hold = this.holds.get(method);
    hold?.arrive();
    await hold?.released;
    const failure = this.failures.get(method)?.shift();
    if (failure !== undefined) throw failure;
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
