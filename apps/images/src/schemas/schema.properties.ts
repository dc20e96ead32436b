/** What members and tasks consist of, as JSON schema; images have `image.attributes.ts`. */
import { UUID_PATTERN } from '../images/image.attributes.js';
import { TASK_STATUSES } from '../tasks/task.entity.js';

export const TASK_PROPERTIES = {
  id: { type: 'string', pattern: UUID_PATTERN, description: 'The UUID of the task.' },
  type: {
    type: 'string',
    enum: ['import', 'api_image_import', 'location_import'],
    description: 'What is done.',
  },
  status: { type: 'string', enum: TASK_STATUSES, description: 'How far it is.' },
  input: { type: ['null', 'object'], description: 'What was asked for.' },
  result: { type: ['null', 'object'], description: 'What has come of it.' },
  owner: { type: 'string', description: 'The project that asked.' },
  message: { type: 'string', description: 'Why it failed.' },
  image_id: { type: 'string', description: 'The image that it is about.' },
  request_id: { type: 'string', description: 'The request that asked.' },
  user_id: { type: 'string', description: 'The user who asked.' },
  expires_at: { type: ['null', 'string'], description: 'When the task is forgotten.' },
  created_at: { type: 'string', description: 'When it was asked for.' },
  updated_at: { type: 'string', description: 'When it last changed.' },
  self: { type: 'string', readOnly: true },
  schema: { type: 'string', readOnly: true },
};
