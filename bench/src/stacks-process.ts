/**
 * Stacks in a cloud of their own: how long graphs of resources that do nothing take, and how lists are
 * answered while long templates are read.
 */
import 'reflect-metadata';
import { asBearer } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { layeredTemplate, longTemplate } from './layered-template.js';
import { measure } from './measure.js';
import { reportOf, type GraphTime, type StacksFacts } from './protocol.js';
import { startBenchCloud } from './start-cloud.js';

/** The first is only to warm up. */
const SIZES = [100, 100, 1_000];
const LINES = 10_000;
const SECONDS = 6;
const LOOK_MS = 20;

interface Cloud {
  readonly url: string;
  readonly token: string;
}

class Stacks {
  readonly #client: ServiceClient;
  readonly #actor;

  constructor({ url, token }: Cloud) {
    this.#client = new ServiceClient({ service: 'orchestration', baseUrl: url });
    this.#actor = asBearer(token);
  }

  async time(count: number): Promise<GraphTime> {
    const name = `bench-${count}`;
    const json = { stack_name: name, template: layeredTemplate(count), timeout_mins: 60 };
    const begun = performance.now();
    const { body } = await this.#send('POST', '/stacks', json);
    const { id } = (body as { stack: { id: string } }).stack;
    await this.#until(async () => (await this.#statusOf(name, id)) === 'CREATE_COMPLETE');
    const created = performance.now();
    await this.#send('DELETE', `/stacks/${name}/${id}`);
    await this.#until(async () => (await this.#statusOf(name, id)) === 'DELETE_COMPLETE');
    return { count, createMs: created - begun, deleteMs: performance.now() - created };
  }

  /** A stack that stays, so that the list has one. */
  async make(name: string): Promise<void> {
    await this.#send('POST', '/stacks', { stack_name: name, template: layeredTemplate(10) });
  }

  /** Reads templates, one after the other, until it is told to stop. @returns how many */
  async readUntil(isOver: () => boolean): Promise<number> {
    const template = longTemplate(LINES);
    for (let read = 0; ; read += 1) {
      if (isOver()) return read;
      await this.#send('POST', '/validate', { template });
    }
  }

  #send(method: 'POST' | 'DELETE', path: string, json?: object): ReturnType<ServiceClient['send']> {
    return this.#client.send({ method, path, json, actor: this.#actor });
  }

  async #statusOf(name: string, id: string): Promise<string> {
    const path = `/stacks/${name}/${id}`;
    const { body } = await this.#client.send({ path, actor: this.#actor });
    const { stack } = body as { stack: { stack_status: string; stack_status_reason: string } };
    if (stack.stack_status.endsWith('_FAILED')) throw new Error(stack.stack_status_reason);
    return stack.stack_status;
  }

  async #until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function start(): Promise<StacksFacts> {
  const { url: cloudUrl, token } = await startBenchCloud();
  const url = `${cloudUrl}/orchestration`;
  const stacks = new Stacks({ url, token });
  const graphs: GraphTime[] = [];
  for (const count of SIZES) graphs.push(await stacks.time(count));
  await stacks.make('listed');
  const list = { url: `${url}/stacks`, token };
  await measure(list, SECONDS);
  const alone = await measure(list, SECONDS);
  let isOver = false;
  const reading = stacks.readUntil(() => isOver);
  const meanwhile = await measure(list, SECONDS);
  isOver = true;
  return { kind: 'stacks', graphs: graphs.slice(1), alone, meanwhile, read: await reading };
}

await reportOf(start);
