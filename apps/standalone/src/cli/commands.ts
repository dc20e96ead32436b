import type { Command } from './command.js';
import { accessKeyUnbound } from './commands/access-key-unbound.command.js';
import { bucketUsage } from './commands/bucket-usage.command.js';
import { destroy } from './commands/destroy.command.js';
import { projectCreate } from './commands/project-create.command.js';

/** All commands of `cumulet`. */
export const COMMANDS: readonly Command[] = [accessKeyUnbound, bucketUsage, destroy, projectCreate];
