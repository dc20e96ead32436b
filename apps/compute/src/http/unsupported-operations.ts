/**
 * Operations of Nova's API that are not supported, each refused by name. Actions on servers are in
 * `server-actions.ts`. Public source: Compute API reference.
 *
 * APIs that Nova itself removed, such as networks, answer 404: clients take that for their absence.
 */
import { operationsOf, type UnsupportedGroup } from '@cumulet/common/http/unsupported-operations';

const SERVER_OPERATIONS: readonly UnsupportedGroup[] = [
  {
    of: 'Shares',
    under: '/servers/{server_id}/shares',
    operations: {
      'GET ': 'list shares',
      'POST ': 'attach a share',
      'GET /{share_id}': 'show a share',
      'DELETE /{share_id}': 'detach a share',
    },
  },
  {
    of: 'Volume attachments',
    under: '/servers/{server_id}/os-volume_attachments',
    operations: {
      'GET ': 'list volumes',
      'POST ': 'attach a volume',
      'GET /{volume_id}': 'show an attachment',
      'PUT /{volume_id}': 'change an attachment',
      'DELETE /{volume_id}': 'detach a volume',
    },
  },
];

const ADMINISTRATOR_OPERATIONS: readonly UnsupportedGroup[] = [
  {
    of: 'Assisted volume snapshots',
    under: '/os-assisted-volume-snapshots',
    operations: { 'POST ': 'create a snapshot', 'DELETE /{snapshot_id}': 'delete a snapshot' },
  },
];

export const UNSUPPORTED_OPERATIONS = operationsOf([
  ...SERVER_OPERATIONS,
  ...ADMINISTRATOR_OPERATIONS,
]);
