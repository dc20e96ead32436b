import { testService } from '@cumulet/testing/test-service';
import { startCompute } from './compute.fixture.js';
import { computeService } from './service.js';

testService(computeService, {
  start: ({ config = {} }) => startCompute({ config, losesDatabase: true }),
  open: [
    'GET /',
    'GET /consoles/assets/*',
    'GET /consoles/serial',
    'GET /consoles/serial.js',
    'GET /consoles/vnc.html',
    'GET /consoles/vnc.js',
    'GET /metadata',
    'GET /metadata/*',
    'GET /v2',
    'GET /v2.1',
    'POST /metadata/*',
  ],
  examples: {
    server_id: async ({ client, settle, images }, token) => {
      const server = { name: 'web-1', imageRef: images.bootable, flavorRef: '1' };
      const { body } = await client.post('/servers', { token, body: { server } });
      await settle();
      return (body as { server: { id: string } }).server.id;
    },
    server_group_id: async ({ client }, token) => {
      const server_group = { name: 'one', policies: ['affinity'] };
      const { body } = await client.post('/os-server-groups', { token, body: { server_group } });
      return (body as { server_group: { id: string } }).server_group.id;
    },
  },
  // Public, the caller's by the token, or of another service, which decides.
  withoutExample: [
    'alias',
    'flavor_id',
    'floating_ip_id',
    'image_id',
    'keypair_name',
    'network_id',
    'security_group_id',
    'security_group_rule_id',
    'tenant_id',
  ],
});
