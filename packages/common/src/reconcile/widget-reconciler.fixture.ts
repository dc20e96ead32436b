/** A reconciler of widgets whose phases are set by the test. */
import type { RequestContext } from '../context/request-context.js';
import {
  Widget,
  widgetStates,
  type WidgetEvent,
  type WidgetState,
} from '../states/widget.fixture.js';
import { phase, type Plan, type Reconciler, type Scope, type Wait } from './reconciler.js';

type Work = (scope: Scope<Widget>) => Promise<Wait | undefined> | Promise<void>;

const nothing: Work = () => Promise.resolve();

export class WidgetReconciler implements Reconciler<Widget, WidgetState, WidgetEvent> {
  readonly states = widgetStates;
  /** The phases that ran, in order. */
  readonly ran: string[] = [];
  cut: Work = nothing;
  glue: Work = nothing;
  putBack: Work = nothing;
  readonly sweepUp: Work = nothing;
  ended: (tx: RequestContext, id: string, event: WidgetEvent) => Promise<void> = () =>
    Promise.resolve();

  readonly plans: Partial<Record<WidgetState, Plan<Widget, WidgetEvent>>> = {
    making: {
      phases: [this.#phase('cut'), this.#phase('glue')],
      then: 'made',
      release: [this.#phase('putBack'), this.#phase('sweepUp')],
    },
  };

  taskOf(): string {
    return 'widget';
  }

  async load(ctx: RequestContext, id: string): Promise<Widget | undefined> {
    return (await ctx.manager.findOneBy(Widget, { id })) ?? undefined;
  }

  #phase(name: 'cut' | 'glue' | 'putBack' | 'sweepUp'): ReturnType<typeof phase<Widget>> {
    return phase(name, (scope: Scope<Widget>) => {
      this.ran.push(name);
      return this[name](scope);
    });
  }
}
