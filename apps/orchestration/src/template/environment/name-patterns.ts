/**
 * Names with wildcards, as shells have them: `*`, `?`, `[a-c]`, `[!a]`.
 *
 * Always holds: it takes no longer than the product of both lengths, whatever a client wrote.
 */

interface Step {
  readonly isStar: boolean;
  takes(char: string): boolean;
}

/** Whether the whole name is one of the pattern's. */
export function matchesName(pattern: string, name: string): boolean {
  return namePattern(pattern)(name);
}

/** As `matchesName`, for many names. */
export function namePattern(pattern: string): (name: string) => boolean {
  const steps = stepsOf(pattern);
  return (name) => matches(steps, name);
}

function matches(steps: readonly Step[], name: string): boolean {
  let at = 0;
  let star = -1;
  let from = 0;
  for (let index = 0; index < name.length;) {
    const step = steps[at];
    if (step && !step.isStar && step.takes(name.charAt(index))) {
      at += 1;
      index += 1;
    } else if (step?.isStar) {
      [star, from] = [at, index];
      at += 1;
    } else if (star >= 0) {
      from += 1;
      [at, index] = [star + 1, from];
    } else {
      return false;
    }
  }
  return steps.slice(at).every(({ isStar }) => isStar);
}

function stepsOf(pattern: string): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    // A bracket directly after the opening one is a character of the set.
    const end = char === '[' ? pattern.indexOf(']', at + (pattern[at + 1] === '!' ? 3 : 2)) : -1;
    steps.push(end < 0 ? stepOf(char) : setOf(pattern.slice(at + 1, end)));
    if (end >= 0) at = end;
  }
  return steps;
}

function stepOf(char: string): Step {
  const takes = char === '?' ? () => true : (other: string) => other === char;
  return { isStar: char === '*', takes };
}

function setOf(set: string): Step {
  const isNegated = set.startsWith('!');
  const ranges = [...(isNegated ? set.slice(1) : set).matchAll(/(.)-(.)|(.)/gs)].map(
    ([, first, last, one]): [string, string] => [first ?? one ?? '', last ?? one ?? ''],
  );
  const has = (char: string): boolean =>
    ranges.some(([first, last]) => char >= first && char <= last);
  return { isStar: false, takes: (char) => has(char) !== isNegated };
}
