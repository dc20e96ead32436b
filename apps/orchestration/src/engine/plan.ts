/**
 * Which rows go on under the names of a template, which are new, and which are to go. Pure: from the rows
 * that there are and the definitions that there shall be to steps in their order.
 */
import { stepsOf, type Step } from './step-order.js';

export interface PlannedRow {
  readonly id: string;
  readonly name: string;
  readonly requires: readonly string[];
  readonly obsolete: boolean;
  /** Whether it stands for a thing that is whole: created, and neither failed nor being removed. */
  readonly isWhole: boolean;
  /** Whether its removal has begun. */
  readonly isGoing: boolean;
  readonly createdAt: Date;
}

export interface PlannedDefinition {
  readonly requires: readonly string[];
  readonly asks: Readonly<Record<string, readonly string[]>>;
}

export interface AppliedPlan {
  /** Those that nothing comes first of before those that something does. */
  readonly steps: readonly Step[];
  /** Rows that are to go, once all others are there. */
  readonly obsolete: readonly string[];
}

/**
 * @param isSame whether a row was made from the definition that its name has now; asked only where a
 *   name has several rows
 */
export function planOf(
  rows: readonly PlannedRow[],
  definitions: Readonly<Record<string, PlannedDefinition>>,
  outputs: readonly Pick<PlannedDefinition, 'asks'>[],
  isSame: (row: PlannedRow) => boolean,
): AppliedPlan {
  const names = Object.keys(definitions);
  const chosen = chooseRows(rows, new Set(names), isSame);
  const asked = askedOf([...Object.values(definitions), ...outputs]);
  const nodes = names.map((name) => ({
    name,
    rowId: chosen.get(name)?.id,
    asked: asked.get(name) ?? [],
    requires: definitions[name]?.requires ?? [],
  }));
  const steps = stepsOf(nodes, (node) => node.requires.filter((name) => name !== node.name));
  const kept = new Set([...chosen.values()].map(({ id }) => id));
  return { steps, obsolete: rows.filter(({ id }) => !kept.has(id)).map(({ id }) => id) };
}

/**
 * The row that goes on under each name. One that an earlier update has replaced comes back where that
 * update did not get to the end of what the name is to be now.
 */
function chooseRows(
  rows: readonly PlannedRow[],
  names: ReadonlySet<string>,
  isSame: (row: PlannedRow) => boolean,
): Map<string, PlannedRow> {
  const candidates = new Map<string, PlannedRow[]>();
  for (const row of rows) {
    if (row.isGoing || !names.has(row.name)) continue;
    const others = candidates.get(row.name);
    if (others) others.push(row);
    else candidates.set(row.name, [row]);
  }
  const chosen = new Map<string, PlannedRow>();
  for (const [name, several] of candidates) {
    const current = several.find(({ obsolete }) => !obsolete);
    const whole = several
      .filter(({ isWhole }) => isWhole)
      .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
    const [only] = several;
    const best =
      several.length === 1 && only?.obsolete === false
        ? only
        : (whole.find(isSame) ?? (current?.isWhole ? current : (whole[0] ?? current)));
    if (best) chosen.set(name, best);
  }
  return chosen;
}

function askedOf(askers: readonly Pick<PlannedDefinition, 'asks'>[]): Map<string, string[]> {
  const asked = new Map<string, Set<string>>();
  for (const { asks } of askers)
    for (const [name, attributes] of Object.entries(asks)) {
      const all = asked.get(name) ?? new Set();
      for (const one of attributes) all.add(one);
      asked.set(name, all);
    }
  return new Map([...asked].map(([name, all]) => [name, [...all].sort()]));
}
