/** The templates that a user starts from, and stacks of them, which take longer than a command may. */
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';
import type { OpenStackClient } from './openstack-client.js';
import { words } from './words.js';

/** @returns the path of one of examples/stacks */
export function exampleStack(name: string): string {
  return fileURLToPath(new URL(`../../examples/stacks/${name}.yaml`, import.meta.url));
}

/**
 * Waits until nothing is under way with a stack.
 * @returns its status; undefined once it is gone
 */
export async function settledStack(
  client: OpenStackClient,
  name: string,
  limitMs: number,
): Promise<string | undefined> {
  const { status } = await eventually(`the stack ${name} is settled`, limitMs, async () => {
    const stacks = await client.json<Record<string, string>[]>(...words`stack list`);
    const found = stacks.find((one) => one['Stack Name'] === name)?.['Stack Status'];
    return found?.endsWith('_IN_PROGRESS') === true ? undefined : { status: found };
  });
  return status;
}
