/**
 * The example of a whole stack, made with the openstack client: two real guests of QEMU on OVN behind
 * HAProxy. Each says from within, by its user data, that it serves; what comes to the load balancer's
 * floating IP reaches both; and nothing is left when the stack is deleted.
 */
import { expect, it } from '@jest/globals';
import { withAnyCloud, type AnyCloud, type CloudWithUsers } from '../support/cloud-with-users.js';
import { eventually } from '../support/eventually.js';
import { exampleStack, settledStack } from '../support/example-stacks.js';
import { whatThereIs } from '../support/what-there-is.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
const FETCH_LIMIT_MS = 4_000;
/** Three turns of two servers. */
const FETCHES = 6;

const TEMPLATE = exampleStack('two-servers');

type Fields = Readonly<Record<string, unknown>>;

let started: CloudWithUsers<AnyCloud>;
let before: Awaited<ReturnType<typeof whatThereIs>>;

withAnyCloud({ COMPUTE_HYPERVISOR: 'qemu', NETWORK_DATA_PLANE: 'ovn' }, async (cloud) => {
  started = cloud;
  before = await whatThereIs(cloud.cloud);
});

const shown = (...command: string[]): Promise<Fields> => started.demo.json<Fields>(...command);

const settled = (): Promise<string | undefined> => settledStack(started.demo, 'two', 15 * MINUTES);

const output = async (name: string): Promise<string> =>
  String((await shown(...words`stack output show two ${name}`))['output_value']);

const serverOf = async (name: string): Promise<unknown> =>
  (await shown(...words`stack resource show two ${name}`))['physical_resource_id'];

/** @returns what answers, in the order of asking; nothing where somebody does not */
async function greetings(url: string): Promise<string[]> {
  const texts: string[] = [];
  for (let count = 0; count < FETCHES; count += 1) {
    const signal = AbortSignal.timeout(FETCH_LIMIT_MS);
    const response = await fetch(url, { signal }).catch(() => undefined);
    if (!response?.ok) return [];
    texts.push((await response.text()).trim());
  }
  return texts;
}

/** Each of the two has as many turns as the other. */
async function bothServe(greeting: string): Promise<void> {
  const url = await output('url');
  const wanted = [greeting, 'Welcome'].flatMap((text) => Array<string>(FETCHES / 2).fill(text));
  await eventually(`${greeting} and Welcome are served`, 5 * MINUTES, async () => {
    const texts = await greetings(url);
    return texts.sort().join() === wanted.sort().join() || undefined;
  });
}

it(
  'is complete once both servers have said that they serve, which they do in turn',
  async () => {
    await started.demo.text(...words`stack create --template ${TEMPLATE} two`);
    expect(await settled()).toBe('CREATE_COMPLETE');
    const signals = (await shown(...words`stack resource metadata two served`)) as object;
    expect(Object.values(signals)).toEqual([
      { status: 'SUCCESS', reason: 'It serves.', data: null },
      { status: 'SUCCESS', reason: 'It serves.', data: null },
    ]);
    await bothServe('Hello');
  },
  20 * MINUTES,
);

it(
  'has the server replaced that is to say something else, and no other',
  async () => {
    const [first, second] = [await serverOf('first'), await serverOf('second')];
    await started.demo.text(
      ...words`stack update --template ${TEMPLATE} --parameter greeting=Hola two`,
    );
    expect(await settled()).toBe('UPDATE_COMPLETE');
    expect(await serverOf('first')).not.toBe(first);
    expect(await serverOf('second')).toBe(second);
    await bothServe('Hola');
  },
  20 * MINUTES,
);

it(
  'leaves nothing when it is deleted',
  async () => {
    await started.demo.text(...words`stack delete --yes two`);
    expect(await settled()).toBeUndefined();
    expect(await whatThereIs(started.cloud)).toEqual(before);
    expect(await started.cloud.guestProcesses()).toEqual([]);
  },
  10 * MINUTES,
);
