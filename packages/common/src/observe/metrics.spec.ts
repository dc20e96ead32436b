import { expect, it } from '@jest/globals';
import { manyOf, storableText } from '@cumulet/testing/hostile-texts';
import { Metrics } from './metrics.js';

/** The samples of a name. Public source: Prometheus, "Text-based format". */
function samples(text: string, name: string): readonly Record<string, string>[] {
  return text.split('\n').flatMap((line): Record<string, string>[] => {
    if (!line.startsWith(`${name}{`)) return [];
    const [, labels = ''] = /^\w+\{(.*)\} \d+$/s.exec(line) ?? [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/gs)];
    expect(pairs.map(([pair]) => pair).join('')).toBe(labels);
    const values = pairs.map(([, label = '', value = '']) => [label, unescaped(value)] as const);
    return [Object.fromEntries(values)];
  });
}

function unescaped(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one));
}

it('a label keeps its value, whatever it contains', async () => {
  const names = [...new Set(manyOf(storableText))];
  const metrics = new Metrics('tests');
  metrics.gauge('things', 'Things by name.', ['name'], () =>
    Promise.resolve(names.map((name) => ({ labels: { name }, value: 1 }))),
  );
  const text = await metrics.registry.metrics();
  metrics.registry.clear();
  const found = samples(text, 'things').map(({ name }) => name);
  expect(found).toHaveLength(names.length);
  expect(found.sort()).toEqual(names.sort());
});
