/** The resources that a command has created so far, which are removed if it fails. */
import { CommandError } from '../command-error.js';

interface Created {
  /** `the project acme (4f0c…)` */
  readonly what: string;
  readonly remove: () => Promise<unknown>;
}

export class Undo {
  readonly #created: Created[] = [];

  add(what: string, remove: () => Promise<unknown>): void {
    this.#created.push({ what, remove });
  }

  /**
   * Removes everything, most recent first.
   * @returns sentences on what was removed, and what could not be
   */
  async run(): Promise<string> {
    const removed: string[] = [];
    const left: string[] = [];
    for (const { what, remove } of this.#created.splice(0).reverse()) {
      const list = await remove().then(
        () => removed,
        () => left,
      );
      list.push(what);
    }
    return [
      ...(removed.length > 0 ? [`Removed again: ${removed.join(', ')}.`] : []),
      ...(left.length > 0 ? [`Could not be removed again: ${left.join(', ')}.`] : []),
    ].join(' ');
  }
}

/** Does all of the work, or leaves none of it behind. @throws CommandError that says so */
export async function allOrNothing<T>(work: (undo: Undo) => Promise<T>): Promise<T> {
  const undo = new Undo();
  try {
    return await work(undo);
  } catch (error) {
    const outcome = await undo.run();
    if (outcome === '' || !(error instanceof CommandError)) throw error;
    const reason = error.message.replace(/\.?$/, '.');
    throw new CommandError(`${reason} ${outcome}`);
  }
}
