import { describe, expect, it } from '@jest/globals';
import { defineStates, failureOf, transitionalStates, type StateTable } from './state-table.js';

const table: StateTable<'making' | 'there' | 'broken', 'made' | 'fail'> = {
  resource: 'widget',
  table: 'widgets',
  initial: 'making',
  failure: 'fail',
  states: {
    making: { about: 'It is being made.', deadline: 60 },
    there: { about: 'It is there.' },
    broken: { about: 'It could not be made.' },
  },
  events: {
    made: { from: ['making'], to: 'there', by: 'the reconciler' },
    fail: { from: ['making'], to: 'broken', by: 'the reconciler' },
  },
};

describe('defineStates', () => {
  it('knows the transitional states by their deadline', () => {
    expect(transitionalStates(defineStates(table))).toEqual(['making']);
  });

  it('refuses a transitional state without a failure event', () => {
    const hopeless = {
      ...table,
      events: { ...table.events, fail: { ...table.events.fail, from: ['there'] } },
    } as typeof table;
    expect(() => defineStates(hopeless)).toThrow(
      'widget: the transitional state making has no way to fail',
    );
  });

  it('allows a failure event for each state', () => {
    const both: StateTable<'making' | 'ending' | 'broken', 'failMaking' | 'failEnding'> = {
      ...table,
      initial: 'making',
      failure: ['failMaking', 'failEnding'],
      states: {
        making: table.states.making,
        ending: { about: 'It is being taken apart.', deadline: 60 },
        broken: table.states.broken,
      },
      events: {
        failMaking: { from: ['making'], to: 'broken', by: 'the reconciler' },
        failEnding: { from: ['ending'], to: 'broken', by: 'the reconciler' },
      },
    };
    expect(failureOf(defineStates(both), 'ending')).toBe('failEnding');
    expect(() => failureOf(both, 'ending', 'failMaking')).toThrow(
      'widget: the transitional state ending has no way to fail by failMaking',
    );
  });
});
