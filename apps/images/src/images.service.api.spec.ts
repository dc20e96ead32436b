import { startService } from '@cumulet/testing/start-service';
import { testService } from '@cumulet/testing/test-service';
import { ENVIRONMENT } from './images.fixture.js';
import { imagesService } from './service.js';

testService(imagesService, {
  start: (options) => startService(imagesService, ENVIRONMENT, options),
  open: ['GET /', 'GET /v2', 'GET /versions'],
  examples: {
    image_id: async ({ client }, token) => {
      const image = { name: 'one', disk_format: 'raw', container_format: 'bare' };
      const { body } = await client.post('/v2/images', { token, body: image });
      return (body as { id: string }).id;
    },
    namespace_name: async ({ client }, token) => {
      const body = { namespace: 'OS::Other::One' };
      await client.post('/v2/metadefs/namespaces', { token, body });
      return body.namespace;
    },
  },
  withoutExample: ['store_id'],
});
