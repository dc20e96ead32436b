import { describe, expect, it } from '@jest/globals';
import { TemplateFacts } from './template-facts.js';

const LIMITS = { maxBytes: 10_000, maxNodes: 1_000, maxDepth: 20, maxAliases: 0 };

const TEMPLATE = `
heat_template_version: 2021-04-16
parameters:
  size: { type: number }
  zone: { type: string }
outputs:
  address: { value: x }
`;

describe('TemplateFacts', () => {
  const facts = new TemplateFacts({ 'web.yaml': TEMPLATE }, { zone: 'nova' }, LIMITS);

  it('requires no property with a default in the environment', () => {
    const { size, zone } = facts.of('web.yaml').properties;
    expect(size).toMatchObject({ type: 'number', required: true });
    expect(zone).not.toHaveProperty('required');
  });

  it('has outputs as attributes', () => {
    const { isAttribute } = facts.of('web.yaml');
    expect(['address', 'OS::stack_id', 'nothing'].map((name) => isAttribute?.(name))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
