/** The service for tests: a project with a member, a reader and an administrator. */
import 'reflect-metadata';
import {
  startService,
  type StartedService,
  type StartOptions,
} from '@cumulet/testing/start-service';
import { newId } from '@cumulet/testing/test-tokens';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { OrchestrationConfig } from './config.js';
import { EnginePorts } from './engine/engine-ports.js';
import { ServicePorts } from './engine/service-ports.js';
import { ActOnStack } from './engine/commands/act-on-stack.js';
import { ChangeStack } from './engine/commands/change-stack.js';
import { CreateStack } from './engine/commands/create-stack.js';
import { PreviewStack } from './engine/commands/preview-stack.js';
import { ReadStack } from './engine/commands/read-stack.js';
import { SignalResource } from './engine/commands/signal-resource.js';
import { StackExport } from './engine/stack-export.js';
import { StackSnapshots } from './engine/stack-snapshots.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { orchestrationService } from './service.js';
import { RecordedCommands } from './stacks/recorded-commands.fixture.js';

export interface OrchestrationFixture extends StartedService<OrchestrationConfig> {
  readonly projectId: string;
  /** Of a member of the project. */
  readonly token: string;
  readonly reader: string;
  readonly admin: string;
  /** Of a member of another project. */
  readonly stranger: string;
}

export async function startOrchestration(
  options: StartOptions<OrchestrationConfig> = {},
): Promise<OrchestrationFixture> {
  const started = await startService(orchestrationService, {}, options);
  const projectId = newId();
  const issue = (role: string, project = projectId): Promise<string> =>
    started.tokens.issue([role], { projectId: project });
  return {
    ...started,
    projectId,
    token: await issue('member'),
    reader: await issue('reader'),
    admin: await issue('admin'),
    stranger: await issue('member', newId()),
  };
}

export interface RecordedFixture extends OrchestrationFixture {
  readonly commands: RecordedCommands;
}

const COMMANDS = [
  ActOnStack,
  ChangeStack,
  CreateStack,
  PreviewStack,
  ReadStack,
  SignalResource,
  StackExport,
  StackSnapshots,
];

/** The same, but the engine's commands are only recorded. */
export async function startRecorded(
  options: StartOptions<OrchestrationConfig> = {},
): Promise<RecordedFixture> {
  let commands: RecordedCommands | undefined;
  const useFactory = (sealed: SealedJson): RecordedCommands =>
    (commands ??= new RecordedCommands(sealed));
  const recorded = COMMANDS.map((provide) => ({ provide, inject: [SealedJson], useFactory }));
  const overrides = [...recorded, ...(options.overrides ?? [])];
  const fixture = await startOrchestration({ ...options, overrides });
  return { ...fixture, commands: fixture.app.nest.get<RecordedCommands>(CreateStack) };
}

/** The service with its engine, without sister services; trusts are granted, but never used. */
export function startWhole(
  options: StartOptions<OrchestrationConfig> = {},
): Promise<OrchestrationFixture> {
  const ports = {
    provide: EnginePorts,
    inject: [CONFIG, ActorCredentials, ServiceTokenSource],
    useFactory: (...parts: ConstructorParameters<typeof ServicePorts>): EnginePorts => {
      const made = new ServicePorts(...parts);
      made.userName = () => Promise.resolve('somebody');
      made.createTrust = () => Promise.resolve(newId());
      made.endTrust = () => Promise.resolve();
      return made;
    },
  };
  return startOrchestration({ ...options, overrides: [ports, ...(options.overrides ?? [])] });
}
