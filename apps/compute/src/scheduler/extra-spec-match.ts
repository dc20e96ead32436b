/**
 * Whether a value meets an extra spec: `>= 4`, `s== QEMU`, `<or> a <or> b`, or the value itself.
 * Public source: Nova admin guide, "ComputeCapabilitiesFilter".
 */
type Compare = (value: string, words: readonly string[]) => boolean;

const numbers =
  (holds: (one: number, other: number) => boolean): Compare =>
  (value, [word = '']) =>
    holds(Number(value), Number(word));

const texts =
  (holds: (one: string, other: string) => boolean): Compare =>
  (value, [word = '']) =>
    holds(value, word);

const OPERATORS: Readonly<Record<string, Compare>> = {
  '=': numbers((one, other) => one >= other),
  '==': numbers((one, other) => one === other),
  '!=': numbers((one, other) => one !== other),
  '>=': numbers((one, other) => one >= other),
  '<=': numbers((one, other) => one <= other),
  's==': texts((one, other) => one === other),
  's!=': texts((one, other) => one !== other),
  's<': texts((one, other) => one < other),
  's<=': texts((one, other) => one <= other),
  's>': texts((one, other) => one > other),
  's>=': texts((one, other) => one >= other),
  '<in>': texts((one, other) => one.includes(other)),
  '<all-in>': (value, words) => words.every((word) => value.includes(word)),
  '<or>': (value, words) => words.filter((word) => word !== '<or>').includes(value),
};

export function meetsExtraSpec(value: string, required: string): boolean {
  const [operator = '', ...words] = required.trim().split(/\s+/);
  const compare = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (!compare) return value === required;
  return words.length > 0 && compare(value, words);
}
