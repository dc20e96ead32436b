/**
 * Graphs of resources that settle through the service's own workers: what a resource costs must not
 * depend on how many others there are, nor on how they follow each other.
 */
import { startProcess } from './processes.js';
import type { JobsFacts } from './protocol.js';
import { printRow } from './table.js';

export async function measureJobs(): Promise<void> {
  const { facts } = await startProcess<JobsFacts>('./jobs-process.js');
  const [first] = facts.costs;
  if (!first) throw new Error('nothing was measured');
  printRow(['', 'ms/resource', 'ratio', 'CPU ms/resource', 'ratio']);
  for (const { name, ms, cpuMs } of facts.costs) {
    printRow([
      name,
      ms.toFixed(2),
      (ms / first.ms).toFixed(2),
      cpuMs.toFixed(2),
      (cpuMs / first.cpuMs).toFixed(2),
    ]);
  }
}
