/** What is done to servers while the cloud is killed: every action that changes what one is. */
import type { Answer, CloudClient } from './cloud-client.js';

/** Two that differ in all that is claimed of a host. */
export const FLAVORS = [
  { id: 'chaos-small', name: 'chaos.small', vcpus: 1, ram: 128, disk: 1 },
  { id: 'chaos-large', name: 'chaos.large', vcpus: 2, ram: 256, disk: 2 },
] as const;

type Body = Readonly<Record<string, unknown>>;

const power = ['os-stop', 'os-start', 'pause', 'unpause', 'suspend', 'resume'];
const moves = ['shelve', 'shelveOffload', 'unshelve', 'rescue', 'unrescue'];
const ends = ['confirmResize', 'revertResize', 'lock', 'unlock'];

/** One body for each action; what a server's state does not allow is refused, and that is counted. */
export function actionsOf(facts: { readonly imageId: string }): readonly Body[] {
  return [
    ...[...power, ...moves, ...ends].map((name) => ({ [name]: null })),
    { reboot: { type: 'SOFT' } },
    { reboot: { type: 'HARD' } },
    ...FLAVORS.map(({ id }) => ({ resize: { flavorRef: id } })),
    { rebuild: { imageRef: facts.imageId } },
    { createImage: { name: 'chaos-snapshot' } },
  ];
}

export function act(client: CloudClient, id: string, json: Body): Promise<Answer> {
  return client.send('POST', `/compute/v2.1/servers/${id}/action`, { json });
}

export interface ServerRow {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly flavor: { readonly vcpus: number; readonly ram: number; readonly disk: number };
  readonly 'OS-EXT-STS:task_state': string | null;
  readonly 'OS-EXT-SRV-ATTR:host': string | null;
}

const SETTLED: readonly string[] = [
  'ACTIVE',
  'ERROR',
  'PAUSED',
  'RESCUE',
  'SHELVED',
  'SHELVED_OFFLOADED',
  'SHUTOFF',
  'SUSPENDED',
  'VERIFY_RESIZE',
];

export function isSettled(server: ServerRow): boolean {
  return SETTLED.includes(server.status) && server['OS-EXT-STS:task_state'] === null;
}
