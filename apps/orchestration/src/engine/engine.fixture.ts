/** The tables of orchestration, without the service around them. */
import { createDataSource } from '@cumulet/common/database/data-source';
import type { DataSource } from 'typeorm';
import { Core1798000000000 } from '../database/migrations/1798000000000-core.js';
import { DeletedStack } from '../deleted-stacks/deleted-stack.entity.js';
import { StackEvent } from '../events/stack-event.entity.js';
import { ResourceSnapshot } from '../snapshots/resource-snapshot.entity.js';
import { StackSnapshot } from '../snapshots/stack-snapshot.entity.js';
import { SoftwareConfig } from '../software-configs/software-config.entity.js';
import { SoftwareDeployment } from '../software-deployments/software-deployment.entity.js';
import { StackResource } from '../stack-resources/stack-resource.entity.js';
import { StackTemplate } from '../stack-templates/stack-template.entity.js';
import { Stack } from '../stacks/stack.entity.js';

export const orchestrationTables = {
  name: 'orchestration_engine',
  dataSource: (url: string): DataSource =>
    createDataSource({
      url,
      poolSize: 20,
      applicationName: 'cumulet orchestration tests',
      entities: [
        DeletedStack,
        ResourceSnapshot,
        SoftwareConfig,
        SoftwareDeployment,
        Stack,
        StackEvent,
        StackResource,
        StackSnapshot,
        StackTemplate,
      ],
      migrations: [Core1798000000000],
    }),
};
