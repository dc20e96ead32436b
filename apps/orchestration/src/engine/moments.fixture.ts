/**
 * Scenes of a stack's life that are repeated, each time interrupted at a later moment: at every one in
 * `npm run chaos -- moments`, otherwise at some that are spread over the scene.
 */
import type { Stack } from '../rows/stack.entity.js';
import { TestEngine } from './engine.fixture.js';
import { MortalProcess, type Interruption } from './mortal-process.fixture.js';
import { nestedThings } from './nested-things.fixture.js';
import { OneWorker } from './one-worker.fixture.js';
import { otherThings, plainThings } from './other-things.fixture.js';
import { TestThings } from './test-things.fixture.js';

/** More than any scene has. */
const MAX_MOMENTS = 2_000;

/** Moments between two interruptions, unless every moment is tried. */
const STEP = 7;

export class Moments {
  readonly things = new TestThings();
  #engine: TestEngine | undefined;
  #process: MortalProcess | undefined;
  #worker: OneWorker | undefined;
  readonly #step: number;
  #scenes = 0;

  /** @param which the value of CHAOS_MOMENTS: `all`, or absent */
  constructor(which: string | undefined) {
    this.#step = which === 'all' ? 1 : STEP;
  }

  async start(): Promise<void> {
    const engine = await TestEngine.start({
      types: [plainThings(this.things), otherThings(this.things), nestedThings],
      config: { deleteRetrySeconds: 0 },
    });
    this.#engine = engine;
    this.#process = new MortalProcess(engine.dataSource);
    const reconcilers = [engine.stackReconciler, engine.resourceReconciler];
    this.#worker = new OneWorker(engine.dataSource, reconcilers, this.#process);
    this.things.before = this.things.after = this.#process.moment;
  }

  async stop(): Promise<void> {
    await this.engine.stop();
  }

  get engine(): TestEngine {
    if (!this.#engine) throw new Error('not started');
    return this.#engine;
  }

  /**
   * @param scene.arrange starts an action on a stack, without interruption
   * @param scene.meanwhile the interruption; by default a crash
   * @param scene.expected holds at the end; nothing of the stack may be left behind
   */
  async each(scene: {
    readonly arrange: () => Promise<Stack>;
    readonly meanwhile?: (stack: Stack) => Promise<unknown>;
    readonly expected: (stack: Stack) => Promise<void>;
  }): Promise<void> {
    // Scenes that begin alike are interrupted at different moments.
    const first = this.#scenes++ % this.#step;
    for (let moment = first; moment < MAX_MOMENTS; moment += this.#step) {
      this.things.clear();
      const stack = await scene.arrange();
      const { meanwhile } = scene;
      const isOver = await this.#play(moment, meanwhile && (() => meanwhile(stack)));
      try {
        await scene.expected(stack);
        await this.#leaveNothing(stack);
      } catch (error) {
        throw new Error(`at moment ${moment}: ${await this.#describe(stack)}`, { cause: error });
      }
      if (!isOver) return;
    }
    throw new Error('the scene does not end');
  }

  /** Works without interruption until nothing is left to do. */
  async settle(): Promise<void> {
    await this.#play(Infinity);
  }

  /** @returns whether the scene reached the moment */
  async #play(moment: number, interruption?: Interruption): Promise<boolean> {
    const [process, worker] = [this.#process, this.#worker];
    if (!process || !worker) throw new Error('not started');
    process.live(moment, interruption);
    await worker.work();
    const { isOver } = process;
    process.end();
    await worker.releaseDeadJobs();
    await worker.work();
    await worker.clear();
    return isOver;
  }

  async #leaveNothing({ id }: Stack): Promise<void> {
    const { engine, things } = this;
    things.failures.clear();
    const stack = await engine.stacks.find(engine.ctx, id);
    if (stack) await engine.act(stack, 'DELETE');
    await this.settle();
    if (await engine.stacks.find(engine.ctx, id)) throw new Error('the stack is not gone');
    if (things.things.size > 0)
      throw new Error(`things are left: ${[...things.things.keys()].join()}`);
  }

  async #describe({ id, name }: Stack): Promise<string> {
    const { engine } = this;
    const stack = await engine.stacks.find(engine.ctx, id);
    const rows = await engine.stacks.resources(engine.ctx, id);
    const shown = rows.map(
      (one) =>
        `${one.name} ${one.obsolete ? 'obsolete ' : ''}${one.action}_${one.status} ${one.state} ${one.waitingFor}`,
    );
    const events = await engine.events({ id, name });
    return [
      `${stack?.action} ${stack?.state} ${stack?.stage} ${stack?.remaining} ${stack?.stateReason}`,
      ...shown,
      ...events,
      ...this.things.log,
    ].join('\n');
  }
}
