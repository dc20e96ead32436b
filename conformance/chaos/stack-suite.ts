/**
 * What holds of stacks that are changed at random while processes are killed: each ends COMPLETE, or
 * FAILED with its reason; what they say they have is all that there is, each once; and what is deleted
 * leaves nothing in any service.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import type { RunningCloud } from '../support/running-cloud.js';
import { bootable } from './bootable-image.js';
import { CloudClient } from './cloud-client.js';
import {
  allStackRows,
  changeStack,
  createStack,
  deleteStack,
  MADE,
  resourceRows,
  stackRows,
  type StackRow,
} from './stack-changes.js';

/** Who is killed. */
export interface Victims {
  readonly cloud: RunningCloud;
  /** One of them, which works again afterwards. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

export interface StackScene {
  /** How many changes are accepted, by all clients together. */
  readonly changes: number;
  readonly clients: number;
  /** The least and the most changes between two kills. */
  readonly killAfter: readonly [least: number, most: number];
  /** Whose stacks there are none of yet. */
  start(): Promise<Victims>;
}

const STACKS = 6;
const HOUR = 3_600_000;
/** After the last kill, nothing is under way for longer. */
const SETTLED_MS = 300_000;
const OWN = 'chaos-';

export function stackSuite(title: string, scene: StackScene): void {
  describe(title, () => {
    let left = scene.changes;
    let named = 0;
    let kills = 0;
    let victims: Victims;
    let client: CloudClient;
    let imageId: string;

    beforeAll(async () => {
      victims = await scene.start();
      client = new CloudClient(victims.cloud);
      await client.logIn();
      imageId = await bootable(client);
    }, HOUR);
    afterAll(() => victims.remove(), HOUR);

    it(
      'are carried on with, and nothing answers 500',
      async () => {
        const working = Array.from({ length: scene.clients }, async () => {
          while (left > 0) {
            const status = await step();
            if (status === 0) await client.reach();
            else if (status < 400) left -= 1;
          }
        });
        await Promise.all([...working, killMeanwhile()]);
        await createStack(client, `${OWN}last`, imageId);
        expect(client.failures).toEqual([]);
      },
      HOUR,
    );

    it(
      'are COMPLETE, or FAILED with the reason, soon after the last kill',
      async () => {
        const rows = await eventually('settled stacks', SETTLED_MS, async () => {
          const found = await allStackRows(client);
          const isSettled = found?.every((one) => !one.stack_status.endsWith('IN_PROGRESS'));
          return isSettled === true && found && found.length > 0 ? found : undefined;
        });
        const failed = rows.filter((one) => !one.stack_status.endsWith('COMPLETE'));
        expect(failed.filter((one) => one.stack_status_reason === '')).toEqual([]);
      },
      HOUR,
    );

    it(
      'have made everything once',
      async () => {
        const stacks = (await stackRows(client)) ?? [];
        // One that failed may also keep what a replacement was to take the place of.
        const complete = stacks.filter((one) => one.stack_status.endsWith('COMPLETE'));
        for (const stack of complete) {
          const resources = await resourceRows(client, stack);
          for (const type of Object.keys(MADE)) {
            const known = resources.filter((one) => one.resource_type === type);
            const ids = known.map((one) => one.physical_resource_id);
            expect(await made(type, `${stack.stack_name}-`)).toEqual(ids.sort());
          }
        }
      },
      HOUR,
    );

    it(
      'leave nothing once they are deleted',
      async () => {
        await eventually('all gone', SETTLED_MS, async () => {
          const rows = await stackRows(client);
          for (const one of rows ?? []) if (isToDelete(one)) await deleteStack(client, one);
          return rows?.length === 0 ? true : undefined;
        });
        expect(await allStackRows(client)).toEqual([]);
        for (const type of Object.keys(MADE)) expect(await made(type, OWN)).toEqual([]);
        const answered = [...client.statuses]
          .sort()
          .map(([status, times]) => `${status}: ${times}`);
        console.log(
          `${scene.changes} changes, killed ${kills} times; answers by status (0: none): ${answered.join(', ')}`,
        );
      },
      HOUR,
    );

    /** @returns the status that it was answered with; 0 where it was not */
    async function step(): Promise<number> {
      const rows = (await stackRows(client)) ?? [];
      const one = rows[Math.floor(Math.random() * rows.length)];
      if (one !== undefined && (rows.length >= STACKS || Math.random() > 0.3))
        return (await changeStack(client, one, imageId)).status;
      return (await createStack(client, `${OWN}${(named += 1)}`, imageId)).status;
    }

    async function killMeanwhile(): Promise<void> {
      const [least, most] = scene.killAfter;
      for (;;) {
        const next = left - least - Math.floor(Math.random() * (most - least));
        await eventually('further changes', HOUR, () =>
          Promise.resolve(left <= Math.max(next, 0) || undefined),
        );
        if (left <= 0) return;
        await victims.kill();
        kills += 1;
      }
    }

    /** The ids of what stacks have made in another service, by how their names begin; sorted. */
    async function made(type: string, prefix: string): Promise<string[]> {
      const { path, plural } = MADE[type] ?? { path: '', plural: '' };
      const { body } = await client.send('GET', path);
      const rows = (body as Record<string, { id: string; name: string }[]>)[plural] ?? [];
      return rows
        .filter(({ name }) => name.startsWith(prefix))
        .map(({ id }) => id)
        .sort();
    }
  });
}

const isToDelete = ({ stack_status: status }: StackRow): boolean => status !== 'DELETE_IN_PROGRESS';
