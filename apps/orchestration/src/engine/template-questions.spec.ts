import { describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { none } from '../resource-types/heat/placeholders.js';
import type { Inquiry, ResourceType } from '../resource-types/resource-type.js';
import type { Question, ReadTemplate, TypeQuestion } from '../template/read-template.js';
import type { TemplateReader } from '../template/template-reader.js';
import type { EnginePorts } from './engine-ports.js';
import { TemplateQuestions } from './template-questions.js';
import { PropertyError } from '../constraints/property.errors.js';
import type { Properties } from '../constraints/property-schema.js';

const ctx = new RequestContext({
  requestId: asId('req-test'),
  userId: asId('user'),
  projectId: asId('project'),
  roles: ['member'],
  token: 'token',
  manager: {} as never,
});

const question = (properties: TypeQuestion['properties'] = {}): TypeQuestion => ({
  type: 'Test::Asking',
  resource: 'one',
  path: 'resources.one.properties',
  properties,
});

const open = (...questions: Question[]): ReadTemplate => {
  const source = { template: {}, environment: { parameters: { a: 1 } }, files: { f: 'text' } };
  const parameters = [{ name: 'secret', hidden: true, value: 'hunter2' }];
  return { source, parameters, questions } as unknown as ReadTemplate;
};

/** @param below open questions of every template that a type reads */
function questionsOf(
  inquire: (properties: Properties, inquiry: Inquiry) => Promise<void>,
  below: Question[] = [],
): { read: object[]; plain: Question[]; questions: TemplateQuestions } {
  const type: ResourceType = { ...none, name: 'Test::Asking', inquire };
  const [read, plain]: [object[], Question[]] = [[], []];
  const ports = {
    services: {},
    typeOf: () => type,
    answer: (_: RequestContext, some: readonly Question[]) =>
      Promise.resolve(void plain.push(...some)),
  };
  const reader = {
    read: (request: object) => {
      read.push(request);
      return Promise.resolve(open(...below));
    },
  };
  return {
    read,
    plain,
    questions: new TemplateQuestions(reader as TemplateReader, ports as unknown as EnginePorts),
  };
}

it('asks services about values, and types about whole resources', async () => {
  const asked: [Properties, Inquiry['surroundings']][] = [];
  const { plain, questions } = questionsOf((properties, { surroundings }) =>
    Promise.resolve(void asked.push([properties, surroundings])),
  );
  const flavor = { constraint: 'nova.flavor', value: 'small', path: 'parameters.flavor' };
  await questions.answer(ctx, open(flavor, question({ size: 1 })));
  expect(plain).toEqual([flavor]);
  expect(asked).toEqual([
    [
      { size: 1 },
      {
        environment: expect.objectContaining({ parameters: {} }) as unknown,
        files: { f: 'text' },
      },
    ],
  ]);
});

it('names the path of a property that a type rejects', async () => {
  const { questions } = questionsOf(() =>
    Promise.reject(new PropertyError('region', 'It is far away.')),
  );
  await expect(questions.answer(ctx, open(question()))).rejects.toThrow(
    'Property error: : resources.one.properties.region: : It is far away.',
  );
});

it('does not show hidden parameters in messages', async () => {
  const { questions } = questionsOf(() => Promise.reject(new PropertyError('key', 'not hunter2')));
  await expect(questions.answer(ctx, open(question()))).rejects.toThrow('not ******');
});

it("refuses administrators' types to other users", async () => {
  const { questions } = questionsOf(() => Promise.resolve());
  const size = open({ permission: 'OS::Nova::Flavor', path: 'resources.size.type' });
  await expect(questions.answer(ctx, size)).rejects.toThrow(
    'You are not authorized to use OS::Nova::Flavor (in resources.size.type).',
  );
});

describe('templates that types read', () => {
  it('are read once each, even if they are recursive', async () => {
    const { read, questions } = questionsOf(
      (_, { readTemplate }) => readTemplate({ template: 'same' }),
      [question(), question()],
    );
    await questions.answer(ctx, open(question(), question()));
    expect(read).toHaveLength(1);
    expect(read[0]).toMatchObject({ template: 'same', allowsMissing: true });
  });

  it('are limited for one request', async () => {
    let made = 0;
    const { read, questions } = questionsOf(
      (_, { readTemplate }) => readTemplate({ template: String((made += 1)) }),
      [question(), question()],
    );
    await questions.answer(ctx, open(question()));
    expect(read).toHaveLength(50);
  });
});
