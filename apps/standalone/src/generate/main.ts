/** `npm run generate` writes the generated documents; with `--check` it only compares them. */
import 'reflect-metadata';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attachSettings } from '@cumulet/host/attach/config';
import { hostSettings } from '@cumulet/host/host/config';
import { agentSettings } from '@cumulet/network/agent/agent.config';
import { centralSettings } from '@cumulet/network/ovn-central/central.config';
import { cliSettings } from '../cli/config.js';
import { standaloneSettings } from '../config.js';
import { deploymentSettings } from '../deployment/deployment.config.js';
import { documentsOf } from './documents.js';
import { SERVICES } from '../services.js';
import { describeService } from './services.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

async function run(check: boolean): Promise<number> {
  const services = await Promise.all(SERVICES.map(describeService));
  const documents = documentsOf(services, [
    { name: 'standalone', settings: standaloneSettings },
    { name: 'prepare', settings: deploymentSettings },
    { name: 'the command cumulet', settings: cliSettings },
    { name: 'hosts', settings: hostSettings },
    { name: "agents' containers", settings: attachSettings },
    { name: "the network's agent", settings: agentSettings },
    { name: "OVN's central part", settings: centralSettings },
  ]);
  const stale: string[] = [];
  for (const [path, content] of Object.entries(documents)) {
    const file = join(ROOT, path);
    const found = await readFile(file, 'utf8').catch(() => undefined);
    if (found === content) continue;
    stale.push(path);
    if (check) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  if (stale.length === 0) return 0;
  if (!check) {
    process.stdout.write(`Wrote ${stale.join(', ')}\n`);
    return 0;
  }
  process.stderr.write(`Not up to date: ${stale.join(', ')}. Run \`npm run generate\`.\n`);
  return 1;
}

process.exit(await run(process.argv.includes('--check')));
