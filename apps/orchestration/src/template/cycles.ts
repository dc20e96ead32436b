/** Circles among things that require each other, found in a loop, however long a chain is. */

/**
 * @param requires of each name, which names it requires; names that are not there are passed over
 * @returns names in order, the first of which is the last too; undefined if there is no circle
 */
export function findCycle(
  requires: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const done = new Set<string>();
  for (const start of requires.keys()) {
    /** The way from the start to here, with how many of each one's requirements were looked at. */
    const way: { readonly name: string; next: number }[] = [{ name: start, next: 0 }];
    const onWay = new Set([start]);
    for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
      const required = done.has(here.name) ? undefined : requires.get(here.name)?.[here.next];
      here.next += 1;
      if (required === undefined) {
        done.add(here.name);
        onWay.delete(here.name);
        way.pop();
      } else if (onWay.has(required)) {
        const names = way.map(({ name }) => name);
        return [...names.slice(names.indexOf(required)), required];
      } else if (!done.has(required)) {
        onWay.add(required);
        way.push({ name: required, next: 0 });
      }
    }
  }
  return undefined;
}
