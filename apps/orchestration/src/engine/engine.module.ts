import { Feature } from '@cumulet/common/service/feature';
import { TrustAuthority, TrustHolders } from '@cumulet/common/trusts/trust-ports';
import { StackEventRepository } from '../rows/stack-event.repository.js';
import { OrchestrationQuotas } from '../quotas/orchestration-quotas.js';
import { ResourceSignalRepository } from '../rows/resource-signal.repository.js';
import { SignalAddresses } from './signal-address.js';
import { ResourceEndRepository } from '../rows/resource-end.repository.js';
import { StackResourceReconciler } from './stack-resource.reconciler.js';
import { StackResourceRepository } from '../rows/stack-resource.repository.js';
import { StackReconciler } from './stack.reconciler.js';
import { StackWorkRepository } from '../rows/stack-work.repository.js';
import { DeletedStacksSweep } from './deleted-stacks.sweep.js';
import { ActOnStack } from './commands/act-on-stack.js';
import { ChangeStack } from './commands/change-stack.js';
import { CreateStack } from './commands/create-stack.js';
import { LiveAttributes, ReadStack } from './commands/read-stack.js';
import { NewTemplates } from './commands/new-templates.js';
import { PreviewStack } from './commands/preview-stack.js';
import { SignalResource } from './commands/signal-resource.js';
import { Trusts } from './commands/trusts.js';
import { EnginePorts, NestedStackFactory } from './engine-ports.js';
import { Applying } from './goals/applying.js';
import { Beginning } from './goals/beginning.js';
import { PendingRequests } from './goals/pending-requests.js';
import { HookStops } from './goals/hooks.js';
import { OtherGoals } from './goals/others.js';
import { Removing } from './goals/removing.js';
import { Replacing } from './goals/replacing.js';
import { ResourceTools } from './goals/resource-tools.js';
import { Settling } from './goals/settle.js';
import { SnapshotData } from './goals/snapshot-data.js';
import { NestedStackRows } from './nested/nested-stack-rows.js';
import { OwnNestedStacks } from './nested/own-nested-stacks.js';
import { ServicePorts } from './service-ports.js';
import { StackEnd } from './stack-end.js';
import { StackExport } from './stack-export.js';
import { PlanWriter, StackPlanning } from './write-plan.js';
import { StackSnapshots } from './stack-snapshots.js';
import { StackTemplates } from './stack-templates.js';
import { ActionStart } from './start-action.js';
import { TemplateQuestions } from './template-questions.js';

const COMMANDS = [
  ActOnStack,
  ChangeStack,
  CreateStack,
  LiveAttributes,
  NewTemplates,
  PreviewStack,
  ReadStack,
  SignalResource,
  TemplateQuestions,
  Trusts,
];

const WORK = [
  ActionStart,
  Applying,
  Beginning,
  PendingRequests,
  Replacing,
  HookStops,
  NestedStackRows,
  OtherGoals,
  PlanWriter,
  Removing,
  ResourceTools,
  Settling,
  SnapshotData,
  StackEnd,
  StackExport,
  StackPlanning,
  StackSnapshots,
  StackTemplates,
  StackReconciler,
  StackResourceReconciler,
];

/** Other tables belong to the features that show them. */
@Feature({
  providers: [
    ...COMMANDS,
    ...WORK,
    DeletedStacksSweep,
    OrchestrationQuotas,
    SignalAddresses,
    ResourceEndRepository,
    ResourceSignalRepository,
    StackEventRepository,
    StackWorkRepository,
    StackResourceRepository,
    { provide: EnginePorts, useClass: ServicePorts },
    { provide: TrustAuthority, useExisting: EnginePorts },
    { provide: TrustHolders, useExisting: StackWorkRepository },
    { provide: NestedStackFactory, useClass: OwnNestedStacks },
  ],
})
export class EngineModule {}
