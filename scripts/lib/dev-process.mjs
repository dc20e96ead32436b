/** The process of one cloud of `dev-cloud.mjs`: loads the sources, reports that, waits, and starts. */
import 'reflect-metadata';

const source = (name) => new URL(`../../apps/standalone/src/${name}.ts`, import.meta.url);

// What main.ts loads, also that which it loads only later.
await Promise.all(['standalone', 'cloud', 'services'].map((name) => import(source(name))));

// Without the process that would stop it, the cloud stops by itself.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.once('message', () => void import(source('main')));
process.send('loaded');
