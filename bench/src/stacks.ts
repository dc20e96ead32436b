/**
 * Stacks of 100 and 1,000 resources that do nothing, in ten layers: what a resource costs must not depend
 * on how many there are. And lists of stacks, while templates of 10,000 lines are read one after the other.
 */
import { startProcess } from './processes.js';
import type { StacksFacts } from './protocol.js';
import { printRow } from './table.js';

export async function measureStacks(): Promise<void> {
  const { facts } = await startProcess<StacksFacts>('./stacks-process.js');
  const [first] = facts.graphs;
  if (!first) throw new Error('nothing was measured');
  printRow(['', 'create s', 'ms/resource', 'ratio', 'delete s', 'ms/resource', 'ratio']);
  for (const { count, createMs, deleteMs } of facts.graphs) {
    printRow([
      `a stack of ${count}`,
      (createMs / 1_000).toFixed(2),
      (createMs / count).toFixed(2),
      (createMs / count / (first.createMs / first.count)).toFixed(2),
      (deleteMs / 1_000).toFixed(2),
      (deleteMs / count).toFixed(2),
      (deleteMs / count / (first.deleteMs / first.count)).toFixed(2),
    ]);
  }
  const { alone, meanwhile, read } = facts;
  printRow(['', 'requests/s', 'p99 ms']);
  printRow(['GET /stacks', alone.requestsPerSecond.toFixed(0), alone.p99.toFixed(0)]);
  printRow([
    `  while ${read} long templates are read`,
    meanwhile.requestsPerSecond.toFixed(0),
    meanwhile.p99.toFixed(0),
  ]);
}
