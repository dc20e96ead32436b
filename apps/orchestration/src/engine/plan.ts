/** Plans which rows of a stack are kept, created and deleted, and in which order. Pure. */

export interface PlannedRow {
  readonly id: string;
  readonly name: string;
  readonly requires: readonly string[];
  readonly obsolete: boolean;
  /** Created, neither failed nor being deleted. */
  readonly isWhole: boolean;
  readonly isDeleting: boolean;
  readonly createdAt: Date;
}

export interface PlannedDefinition {
  readonly requires: readonly string[];
  readonly asks: Readonly<Record<string, readonly string[]>>;
}

export interface AppliedPlan {
  readonly steps: readonly Step[];
  /** Rows that are deleted once all others exist. */
  readonly obsolete: readonly string[];
}

/** @param isSame whether a row has its name's definition; called only for names with several rows */
export function planOf(
  rows: readonly PlannedRow[],
  definitions: Readonly<Record<string, PlannedDefinition>>,
  outputs: readonly Pick<PlannedDefinition, 'asks'>[],
  isSame: (row: PlannedRow) => boolean,
): AppliedPlan {
  const names = Object.keys(definitions);
  const chosen = chooseRows(rows, new Set(names), isSame);
  const asked = attributesReferredTo([...Object.values(definitions), ...outputs]);
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

/** Restores a row whose replacement by an earlier update was not completed. */
function chooseRows(
  rows: readonly PlannedRow[],
  names: ReadonlySet<string>,
  isSame: (row: PlannedRow) => boolean,
): Map<string, PlannedRow> {
  const candidates = new Map<string, PlannedRow[]>();
  for (const row of rows) {
    if (row.isDeleting || !names.has(row.name)) continue;
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

function attributesReferredTo(
  referrers: readonly Pick<PlannedDefinition, 'asks'>[],
): Map<string, string[]> {
  const asked = new Map<string, Set<string>>();
  for (const { asks } of referrers)
    for (const [name, attributes] of Object.entries(asks)) {
      const all = asked.get(name) ?? new Set();
      for (const one of attributes) all.add(one);
      asked.set(name, all);
    }
  return new Map([...asked].map(([name, all]) => [name, [...all].sort()]));
}

/** A step of a plan, with the steps that depend on it. Pure. */
export interface Step {
  readonly name: string;
  /** Undefined for a row that is to be created. */
  readonly rowId: string | undefined;
  /** The number of steps that come first. */
  readonly waitingFor: number;
  /** Indexes of the steps that depend on this one. */
  readonly next: readonly number[];
  /** Its attributes that other resources and outputs refer to. */
  readonly asked: readonly string[];
}

interface Ordered {
  readonly id: string;
  readonly name: string;
  readonly requires: readonly string[];
}

export interface Node {
  readonly name: string;
  readonly rowId: string | undefined;
  readonly asked: readonly string[];
  readonly requires: readonly string[];
}

/** Requirements come first; with `back`, they come last. */
export function orderOf(rows: readonly Ordered[], direction: 'forth' | 'back'): Step[] {
  const nodes = rows.map(({ id, name, requires }) => ({ name, rowId: id, asked: [], requires }));
  if (direction === 'forth') return stepsOf(nodes, ({ requires }) => requires);
  const requiredBy = new Map<string, Set<string>>();
  for (const { name, requires } of nodes)
    for (const one of requires) requiredBy.set(one, (requiredBy.get(one) ?? new Set()).add(name));
  return stepsOf(nodes, ({ name }) => [...(requiredBy.get(name) ?? [])]);
}

/**
 * Sorts steps by their dependencies.
 *
 * Definitions have no cycles, as reading a template refuses them, but rows of several templates may. An
 * edge that would close a cycle is dropped, because a deletion that is too early is refused and
 * retried.
 */
export function stepsOf(
  nodes: readonly Node[],
  firstOf: (node: Node) => readonly string[],
): Step[] {
  const byName = new Map<string, number[]>();
  nodes.forEach(({ name }, at) => byName.set(name, [...(byName.get(name) ?? []), at]));
  const before = nodes.map((node, at) =>
    [...new Set(firstOf(node))]
      .flatMap((name) => byName.get(name) ?? [])
      .filter((one) => one !== at),
  );
  const { order, edges } = sorted(before);
  const place = new Map(order.map((at, index) => [at, index]));
  const next: number[][] = order.map(() => []);
  const waitingFor = order.map(() => 0);
  for (const [first, then] of edges) {
    next[place.get(first) ?? 0]?.push(place.get(then) ?? 0);
    waitingFor[place.get(then) ?? 0] = (waitingFor[place.get(then) ?? 0] ?? 0) + 1;
  }
  return order.map((at, index) => {
    const { name, rowId, asked } = nodes[at] as Node;
    return { name, rowId, asked, waitingFor: waitingFor[index] ?? 0, next: next[index] ?? [] };
  });
}

/** @returns an order of all, and the edges that it respects */
function sorted(before: readonly (readonly number[])[]): {
  readonly order: number[];
  readonly edges: (readonly [number, number])[];
} {
  const layers = new Map<number, number>();
  const open = new Map<number, number>();
  const edges: (readonly [number, number])[] = [];
  before.forEach((_, root) => {
    if (layers.has(root)) return;
    // Iterative, since a chain may be longer than the call stack.
    const path = [{ at: root, child: 0 }];
    open.set(root, 0);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const child = before[top.at]?.[top.child];
      top.child += 1;
      if (child === undefined) {
        const layer = open.get(top.at) ?? 0;
        layers.set(top.at, layer);
        open.delete(top.at);
        path.pop();
        const above = path.at(-1);
        if (above) open.set(above.at, Math.max(open.get(above.at) ?? 0, layer + 1));
      } else if (!open.has(child)) {
        edges.push([child, top.at]);
        const layer = layers.get(child);
        if (layer !== undefined) open.set(top.at, Math.max(open.get(top.at) ?? 0, layer + 1));
        else {
          open.set(child, 0);
          path.push({ at: child, child: 0 });
        }
      }
    }
  });
  const order = [...layers.keys()].sort(
    (one, other) => (layers.get(one) ?? 0) - (layers.get(other) ?? 0) || one - other,
  );
  return { order, edges };
}
