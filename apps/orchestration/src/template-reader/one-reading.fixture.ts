/** A process that reads a text in a thread, prints the result, and should then exit. */
import { TemplateThreads } from './template-threads.js';

const LIMITS = { maxBytes: 1_000, maxNodes: 100, maxDepth: 10, maxAliases: 0 };

const threads = new TemplateThreads({ threads: 2, seconds: 60, megabytes: 64 });
console.log(JSON.stringify(await threads.run('p', 'parse', 'a: [1]', LIMITS, 'template')));
