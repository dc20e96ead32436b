/** A process that reads one text in a thread, prints what was read, and has nothing more to do. */
import { TemplateThreads } from './template-threads.js';

const LIMITS = { maxBytes: 1_000, maxNodes: 100, maxDepth: 10, maxAliases: 0 };

const threads = new TemplateThreads({ threads: 2, seconds: 60, megabytes: 64 });
console.log(JSON.stringify(await threads.run('p', 'parse', 'a: [1]', LIMITS, 'template')));
