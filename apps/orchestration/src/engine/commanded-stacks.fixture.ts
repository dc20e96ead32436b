/** Stacks by commands, with the whole engine from templates to resources. */
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { CONFIG } from '@cumulet/common/service/tokens';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { eventually } from '@cumulet/testing/settle';
import type { OrchestrationConfig } from '../config.js';
import { startOrchestration, type OrchestrationFixture } from '../orchestration.fixture.js';
import type { Stack } from '../rows/stack.entity.js';
import { StackWorkRepository } from '../rows/stack-work.repository.js';
import type { JsonObject } from '../json/json.js';
import { EnginePorts } from './engine-ports.js';
import { ServicePorts } from './service-ports.js';
import { ActOnStack } from './commands/act-on-stack.js';
import { ChangeStack } from './commands/change-stack.js';
import { CreateStack } from './commands/create-stack.js';
import { PreviewStack } from './commands/preview-stack.js';
import { ReadStack } from './commands/read-stack.js';
import { SignalResource } from './commands/signal-resource.js';

/** There is no identity service, and no resource of these stacks needs a trust. */
class PortsWithoutTrusts extends ServicePorts {
  override userName(): Promise<string> {
    return Promise.resolve('somebody');
  }

  override createTrust(): Promise<string> {
    return Promise.resolve('trust');
  }

  override endTrust(): Promise<void> {
    return Promise.resolve();
  }
}

export class CommandedStacks {
  readonly creating: CreateStack;
  readonly changing: ChangeStack;
  readonly acting: ActOnStack;
  readonly previews: PreviewStack;
  readonly reading: ReadStack;
  readonly signals: SignalResource;
  readonly stacks: StackWorkRepository;
  readonly ctx: RequestContext;

  private constructor(readonly fixture: OrchestrationFixture) {
    const { nest } = fixture.app;
    this.creating = nest.get(CreateStack);
    this.changing = nest.get(ChangeStack);
    this.acting = nest.get(ActOnStack);
    this.previews = nest.get(PreviewStack);
    this.reading = nest.get(ReadStack);
    this.signals = nest.get(SignalResource);
    this.stacks = nest.get(StackWorkRepository);
    this.ctx = new RequestContext({
      requestId: asId('req-1'),
      userId: asId('user'),
      projectId: asId(fixture.projectId),
      roles: ['member'],
      manager: fixture.app.dataSource.manager,
      token: 'x',
    });
  }

  static async start(config: Partial<OrchestrationConfig> = {}): Promise<CommandedStacks> {
    const ports = {
      provide: EnginePorts,
      inject: [CONFIG, ActorCredentials, ServiceTokenSource],
      useFactory: (
        config: OrchestrationConfig,
        credentials: ActorCredentials,
        tokens: ServiceTokenSource,
      ) => new PortsWithoutTrusts(config, credentials, tokens),
    };
    return new CommandedStacks(await startOrchestration({ config, overrides: [ports] }));
  }

  stop(): Promise<void> {
    return this.fixture.stop();
  }

  /** Waits until the stack's action is over. @returns the stack; undefined if it is gone */
  async settled({ id }: Pick<Stack, 'id'>): Promise<Stack | undefined> {
    let stack: Stack | undefined;
    await eventually('the stack has settled', async () => {
      stack = await this.stacks.find(this.ctx, id);
      return stack?.state !== 'in_progress';
    });
    return stack;
  }

  async outputs(stack: Stack): Promise<Record<string, unknown>> {
    const all = await this.reading.outputs(this.ctx, stack);
    return Object.fromEntries(all.map(({ name, value, error }) => [name, error ?? value]));
  }

  /** Waits until it is gone. */
  async remove(stack: Stack): Promise<void> {
    await this.acting.delete(this.ctx, (await this.stacks.find(this.ctx, stack.id)) ?? stack);
    await eventually(
      'the stack is gone',
      async () => (await this.stacks.find(this.ctx, stack.id)) === undefined,
    );
  }
}

/** @param shown values of outputs */
export function hot(resources: JsonObject, shown: JsonObject = {}): JsonObject {
  return {
    heat_template_version: '2021-04-16',
    resources,
    outputs: Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, { value }])),
  };
}
