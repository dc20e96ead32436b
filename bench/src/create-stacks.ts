/** Stacks of a project, through the API: each with a parameter, a resource and an output. */
import { asBearer } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';

const TEMPLATE = {
  heat_template_version: '2021-04-16',
  description: 'A text of its own.',
  parameters: { length: { type: 'number', default: 16 } },
  resources: {
    text: { type: 'OS::Heat::RandomString', properties: { length: { get_param: 'length' } } },
  },
  outputs: { text: { value: { get_attr: ['text', 'value'] } } },
};

/** @returns the path of one, once all are complete */
export async function createStacks(url: string, token: string, count: number): Promise<string> {
  const client = new ServiceClient({ service: 'orchestration', baseUrl: `${url}/orchestration` });
  const actor = asBearer(token);
  for (let at = 0; at < count; at += 1) {
    const json = { stack_name: `bench-${at}`, template: TEMPLATE };
    await client.send({ method: 'POST', path: '/stacks', actor, json });
  }
  for (;;) {
    const query = { status: 'CREATE_COMPLETE' };
    const { body } = await client.send({ path: '/stacks', query, actor });
    const { stacks } = body as { stacks: readonly { stack_name: string; id: string }[] };
    const [first] = stacks;
    if (stacks.length === count && first) {
      await client.close();
      return `/stacks/${first.stack_name}/${first.id}`;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
