import { Feature } from '@cumulet/common/service/feature';
import { DeletedStack } from '../rows/deleted-stack.entity.js';
import { TemplateLimits } from '../quotas/template-limits.js';
import { StackTemplate } from '../rows/stack-template.entity.js';
import { StackRepository } from '../rows/stack.repository.js';
import { StackChangesService } from './stack-changes.service.js';
import { StackListService } from './stack-list.service.js';
import { StackLookupController } from './stack-lookup.controller.js';
import { StackUpdatesController } from './stack-updates.controller.js';
import { Stack } from '../rows/stack.entity.js';
import { StacksController } from './stacks.controller.js';
import { StacksService } from './stacks.service.js';

@Feature({
  controllers: [StacksController, StackLookupController, StackUpdatesController],
  providers: [
    StackChangesService,
    StackRepository,
    StackListService,
    StacksService,
    TemplateLimits,
  ],
  entities: [DeletedStack, Stack, StackTemplate],
})
export class StacksModule {}
