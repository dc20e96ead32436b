/**
 * The promise: no body, address or header holds the event loop more than twice as long as a harmless
 * one of the same bytes does on the same route. Both take turns, so that the machine's other load
 * affects both; a try is as many requests as are needed to see them beside what else the process does,
 * which is measured first, and taken off.
 */
import type { ChildProcess } from 'node:child_process';
import { Agent, request } from 'node:http';
import { pairsOf } from './hostile-bodies.js';
import type { Sent, World } from './hostile-request.js';
import { heldLoop } from './loop-watch.js';
import { median } from './measure.js';

const TRIES = 5;
/** Milliseconds of the loop's work that make a try. */
const LEAST_MS = 60;
const MOST_REQUESTS = 40;
/** What can be told apart. */
const LEAST_HOLD_MS = 1;
const MOST_RATIO = 2;
/** How long nothing is asked, to see what else the process does. */
const REST_MS = 5_000;

interface Hold {
  /** Milliseconds per request. */
  readonly ms: number;
  readonly longestMs: number;
  readonly status: number;
}

/** @param only what the names of the measured pairs begin with; all by default */
export async function measureHolds(child: ChildProcess, world: World, only = ''): Promise<void> {
  const rest = await restOf(child);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const held = (sent: Sent, count: number): Promise<Hold> =>
    holdOf(child, sent, count, agent, rest);
  const over: string[] = [];
  process.stdout.write(
    `${'held by'.padEnd(50)}${['ms', 'harmless ms', 'ratio', 'longest ms', 'answers'].map((one) => one.padStart(13)).join('')}\n`,
  );
  for (const { name, hostile, harmless } of pairsOf(world)) {
    if (!name.startsWith(only)) continue;
    // The first compiles what later ones run.
    await held(hostile, 1);
    await held(harmless, 1);
    const count = countFor(await held(harmless, 1));
    const tries: { readonly hostile: Hold; readonly harmless: Hold }[] = [];
    for (let at = 0; at < TRIES; at += 1)
      tries.push({
        harmless: await held(harmless, count),
        hostile: await held(hostile, count),
      });
    const of = (pick: (one: (typeof tries)[number]) => number): number => median(tries.map(pick));
    const ratio = of((one) => one.hostile.ms / one.harmless.ms);
    const cells = [
      of((one) => one.hostile.ms).toFixed(2),
      of((one) => one.harmless.ms).toFixed(2),
      ratio.toFixed(2),
      of((one) => one.hostile.longestMs).toFixed(1),
      `${tries[0]?.hostile.status ?? 0}, ${tries[0]?.harmless.status ?? 0}`,
    ];
    process.stdout.write(`${name.padEnd(50)}${cells.map((one) => one.padStart(13)).join('')}\n`);
    const failed = tries.find((one) => one.hostile.status >= 500 && one.hostile.status !== 501);
    if (failed) over.push(`${name} is answered ${failed.hostile.status}`);
    if (ratio > MOST_RATIO) over.push(`${name} holds the loop ${ratio.toFixed(1)} times as long`);
  }
  agent.destroy();
  if (over.length > 0) throw new Error(`hostile requests cost too much:\n${over.join('\n')}`);
}

/** @returns the share of time in which the loop works although nothing is asked */
async function restOf(child: ChildProcess): Promise<number> {
  await heldLoop(child);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const { activeMs, elapsedMs } = await heldLoop(child);
  return activeMs / elapsedMs;
}

function countFor({ ms }: Hold): number {
  return Math.min(MOST_REQUESTS, Math.max(1, Math.ceil(LEAST_MS / ms)));
}

async function holdOf(
  child: ChildProcess,
  sent: Sent,
  count: number,
  agent: Agent,
  rest: number,
): Promise<Hold> {
  await heldLoop(child);
  let status = 0;
  for (let at = 0; at < count; at += 1) status = await answeredTo(sent, agent);
  const { activeMs, elapsedMs, longestMs } = await heldLoop(child);
  return { ms: Math.max(LEAST_HOLD_MS, activeMs - rest * elapsedMs) / count, longestMs, status };
}

/** @returns the status; 0 where the connection was closed before an answer could be read */
async function answeredTo({ method, url, headers, body }: Sent, agent: Agent): Promise<number> {
  const length = body === '' ? [] : ['Content-Length', String(Buffer.byteLength(body))];
  const { host } = new URL(url);
  return new Promise((resolve) => {
    const sent = request(
      url,
      { method, agent, headers: ['Host', host, ...headers, ...length] as never },
      (response) => {
        response.resume().once('close', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.once('error', () => resolve(0));
    sent.end(body);
  });
}
