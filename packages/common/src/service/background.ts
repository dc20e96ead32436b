/** Declares background work: decorated methods and classes of any provider are found. */
import type { RequestContext } from '../context/request-context.js';
import type { Sweep } from '../jobs/sweep.js';
import type { ReconciledRow, Reconciler } from '../reconcile/reconciler.js';

type Hook = 'start' | 'work';
type Run = (ctx: RequestContext, stopping?: AbortSignal) => Promise<void>;
/** A decorator of a method with these parameters, or fewer. */
type OfRun = (target: object, name: string | symbol, method: { readonly value?: Run }) => void;

interface MarkedHook {
  readonly hook: Hook;
  readonly run: Run;
}

export interface SweepOptions {
  /** Whether each process runs it, rather than one for all. */
  readonly local?: boolean;
  /** Whether processes that only answer requests run it too. */
  readonly everywhere?: boolean;
}

interface MarkedSweep extends SweepOptions {
  readonly name: string;
  readonly everyMs: (config: never) => number;
  readonly run: Run;
}

/** Some of a worker's job slots, reserved for these tasks. */
export interface Slots {
  readonly tasks: readonly string[];
  /** Jobs of these tasks that one process runs at the same time. */
  readonly concurrency: number;
}

type SlotsOf = (config: never) => readonly Slots[];

const HOOKS = 'cumulet:hooks';
const SWEEPS = 'cumulet:sweeps';
const SLOTS = 'cumulet:slots';

/**
 * Runs the method after migrations, and before the service works or answers. Several run in
 * sequence, in the order of features. One that fails because something is unavailable runs again.
 */
export function BeforeStart(): OfRun {
  return hook('start');
}

/** Runs the method before the first job is taken, in processes that work. */
export function BeforeWork(): OfRun {
  return hook('work');
}

/**
 * Runs the method periodically, in processes that work.
 * @param everyMs milliseconds after the previous run's end; may depend on the service's settings
 */
export function SweepEvery<Config>(
  everyMs: number | ((config: Config) => number),
  name: string,
  options: SweepOptions = {},
): OfRun {
  const pace = typeof everyMs === 'number' ? (): number => everyMs : everyMs;
  return (target, _, { value: run }) => {
    if (run) mark<MarkedSweep>(SWEEPS, target, { ...options, name, everyMs: pace, run });
  };
}

/**
 * Runs the class's plans in the service's workers.
 * @param slots by default eight slots for the task named as the resource
 */
export function Reconciles<Config>(slots?: (config: Config) => readonly Slots[]) {
  return <Row extends ReconciledRow<S>, S extends string, E extends string>(
    target: new (...args: never[]) => Reconciler<Row, S, E>,
  ): void => Reflect.defineMetadata(SLOTS, slots ?? null, target);
}

export interface FoundReconciler {
  readonly reconciler: Reconciler<ReconciledRow>;
  readonly slots: readonly Slots[];
}

const DEFAULT_CONCURRENCY = 8;

/** The reconcilers among these providers. */
export function reconcilersAmong(providers: readonly object[], config: object): FoundReconciler[] {
  return providers.flatMap((provider) => {
    const slots = Reflect.getMetadata(SLOTS, provider.constructor) as SlotsOf | null | undefined;
    if (slots === undefined) return [];
    const reconciler = provider as Reconciler<ReconciledRow>;
    const tasks = [reconciler.states.resource];
    return [
      {
        reconciler,
        slots: slots?.(config as never) ?? [{ tasks, concurrency: DEFAULT_CONCURRENCY }],
      },
    ];
  });
}

/** @param everywhere selects sweeps of every process rather than of workers */
export function sweepsAmong(
  providers: readonly object[],
  config: object,
  everywhere: boolean,
): Sweep[] {
  return providers.flatMap((provider) =>
    marked<MarkedSweep>(SWEEPS, provider)
      .filter((sweep) => (sweep.everywhere ?? false) === everywhere)
      .map(({ name, everyMs, local = false, run }) => ({
        name,
        everyMs: everyMs(config as never),
        local,
        run: (ctx, stopping) => run.call(provider, ctx, stopping),
      })),
  );
}

/** The hooks of the providers, in the order in which they run. */
export function hooksAmong(
  providers: readonly object[],
  which: Hook,
): ((ctx: RequestContext) => Promise<void>)[] {
  return providers.flatMap((provider) =>
    marked<MarkedHook>(HOOKS, provider)
      .filter(({ hook }) => hook === which)
      .map(
        ({ run }) =>
          (ctx: RequestContext) =>
            run.call(provider, ctx),
      ),
  );
}

function hook(which: Hook): OfRun {
  return (target, _, { value: run }) => {
    if (run) mark<MarkedHook>(HOOKS, target, { hook: which, run });
  };
}

function mark<T>(key: string, { constructor }: object, value: T): void {
  const before = (Reflect.getMetadata(key, constructor) ?? []) as T[];
  Reflect.defineMetadata(key, [...before, value], constructor);
}

function marked<T>(key: string, { constructor }: object): readonly T[] {
  return (Reflect.getMetadata(key, constructor) ?? []) as readonly T[];
}
