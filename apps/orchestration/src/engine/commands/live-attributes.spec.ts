import { describe, expect, it } from '@jest/globals';
import { ServiceUnavailableError } from '@cumulet/clients/http/service-client-errors';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { none } from '../../resource-types/heat/placeholders.js';
import type { ResourceType } from '../../resource-types/resource-type.js';
import type { CurrentResource } from '../../rows/stack-resource.repository.js';
import type { JsonObject } from '../../json/json.js';
import type { OutputDefinition } from '../../template/read-template.js';
import type { ResourceTools } from '../goals/resource-tools.js';
import { LiveAttributes } from './read-stack.js';

const ctx = {} as RequestContext;

const type: ResourceType = {
  ...none,
  attributes: {
    name: { description: 'It stays.' },
    members: { description: 'They come and go.', isLive: true },
  },
};

const STORED = { name: 'pool', members: [], show: {} };

const output = (...names: string[]): OutputDefinition => ({
  description: '',
  value: { kind: 'value', value: null },
  asks: { pool: names },
});

/** The value of an output, and the requests that it made. */
async function found(
  outputs: OutputDefinition[],
  ask: (names: readonly string[]) => Promise<JsonObject> = (names) =>
    Promise.resolve(Object.fromEntries(names.map((name) => [name, `${name} now`]))),
  of: ResourceType = type,
): Promise<{ attributes: JsonObject | undefined; asked: string[][]; loaded: string[] }> {
  const asked: string[][] = [];
  const loaded: string[] = [];
  const tools = {
    rows: {
      load: (_: RequestContext, id: string) => {
        loaded.push(id);
        return Promise.resolve({ properties: 'sealed' });
      },
    },
    referred: ({ name }: CurrentResource) => ({ name, reference: 'id-1', attributes: STORED }),
    ports: { typeOf: (name: string) => (name === 'Pool' ? of : undefined) },
    kindOf: () => ({ type: of }),
    existing: () => ({}),
    attributesOf: (_: ResourceType, __: object, names: readonly string[]) => {
      asked.push([...names]);
      return ask(names);
    },
  };
  const live = new LiveAttributes(tools as unknown as ResourceTools);
  const [one] = await live.referred(ctx, {
    outputs: Object.fromEntries(outputs.map((output, at) => [`output-${at}`, output])),
    outputTypes: { pool: 'Pool' },
    resources: [{ id: 'row-1', name: 'pool', attributes: 'sealed' } as CurrentResource],
  });
  return { attributes: one?.attributes, asked, loaded };
}

describe('an output', () => {
  it('reads live attributes from the service, and the others from the row', async () => {
    expect(await found([output('members', 'name'), output('show')])).toEqual({
      attributes: { name: 'pool', members: 'members now', show: 'show now' },
      asked: [['members', 'show']],
      loaded: ['row-1'],
    });
  });

  it('reads live attributes when it refers to all attributes', async () => {
    expect((await found([output('*')])).asked).toEqual([['members']]);
  });

  it('reads all attributes of a group that policies resize', async () => {
    const group: ResourceType = { ...type, adjust: () => Promise.resolve({ reason: '' }) };
    expect((await found([output('name', 'resource.0')], undefined, group)).asked).toEqual([
      ['name', 'resource.0'],
    ]);
  });

  it('makes no request for attributes that cannot change', async () => {
    expect(await found([output('name')])).toEqual({ attributes: STORED, asked: [], loaded: [] });
  });

  it('shows the last known value while the service is unavailable', async () => {
    const away = (): Promise<JsonObject> =>
      Promise.reject(new ServiceUnavailableError('load balancer', 'down'));
    expect((await found([output('members')], away)).attributes).toEqual(STORED);
  });

  it('does not hide bugs', async () => {
    const broken = (): Promise<JsonObject> => Promise.reject(new Error('a bug'));
    await expect(found([output('members')], broken)).rejects.toThrow('a bug');
  });
});
