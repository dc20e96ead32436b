/** What holds of the service as of any other. */
import { describe } from '@jest/globals';
import { testService } from '@cumulet/testing/test-service';
import { startRecorded } from './orchestration.fixture.js';
import { orchestrationService } from './service.js';

describe('the orchestration service', () => {
  testService(orchestrationService, {
    start: (options) => startRecorded(options),
    open: [
      'GET /',
      'GET /v1',
      'GET /v1/{project_id}',
      'POST /signals/{project_id}/{stack_id}/{resource_id}',
      'PUT /signals/{project_id}/{stack_id}/{resource_id}',
    ],
  });
});
