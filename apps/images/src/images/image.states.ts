/**
 * The states of an image. Public source: Image service documentation, "Image Statuses";
 * `image-status.ts` says which status clients see.
 *
 * An image that was deleted has no row, so no state stands for it. `saving` and `staging` are owned
 * by the process that receives the bytes: `upload-owner.ts` says how its death shows,
 * `stalled-uploads.sweep.ts` what follows. `importing` is the work of `import.reconciler.ts`.
 */
import { defineStates } from '@cumulet/common/states/state-table';

export const imageStates = defineStates({
  resource: 'image',
  table: 'images',
  initial: 'queued',
  failure: 'abort',
  states: {
    queued: { about: 'The image is registered; it has no data.' },
    saving: {
      about: 'Its data is being uploaded. The deadline moves on for as long as the upload lives.',
      deadline: 120,
    },
    staging: {
      about: 'Data is being uploaded to be imported later. The deadline moves on likewise.',
      deadline: 120,
    },
    staged: { about: 'Data waits to be imported.' },
    importing: {
      about: 'Data is fetched, judged, converted where that is asked for, and stored.',
      deadline: 7_200,
    },
    active: { about: 'All of its data is stored; it never changes again.' },
    deactivated: { about: 'As active, but an administrator has closed its data to all others.' },
    killed: { about: 'Its stored data is damaged, and is not given out any more.' },
    pending_delete: { about: 'It was deleted, and nobody sees it; its data is being removed.' },
  },
  events: {
    upload: { from: ['queued'], to: 'saving', by: 'PUT /v2/images/{image_id}/file' },
    progress: { from: ['saving'], to: 'saving', by: 'the upload, every few seconds' },
    complete: { from: ['saving'], to: 'active', by: 'the upload, once its data is stored' },
    stage: { from: ['queued'], to: 'staging', by: 'PUT /v2/images/{image_id}/stage' },
    stageProgress: { from: ['staging'], to: 'staging', by: 'the upload, every few seconds' },
    staged: { from: ['staging'], to: 'staged', by: 'the upload, once its data is staged' },
    import: {
      from: ['staged'],
      to: 'importing',
      by: 'POST /v2/images/{image_id}/import, glance-direct',
    },
    download: {
      from: ['queued'],
      to: 'importing',
      by: 'POST /v2/images/{image_id}/import, web-download',
    },
    imported: { from: ['importing'], to: 'active', by: 'the import, once its data is stored' },
    abort: {
      from: ['saving', 'staging', 'importing'],
      to: 'queued',
      by: 'the upload that breaks off, the import that fails, or the sweep that finds it dead',
    },
    deactivate: {
      from: ['active'],
      to: 'deactivated',
      by: 'POST /v2/images/{image_id}/actions/deactivate',
    },
    reactivate: {
      from: ['deactivated'],
      to: 'active',
      by: 'POST /v2/images/{image_id}/actions/reactivate',
    },
    damage: {
      from: ['active', 'deactivated'],
      to: 'killed',
      by: 'the integrity scrub, once the stored bytes do not match their checksum',
    },
    delete: {
      from: [
        'queued',
        'saving',
        'staging',
        'staged',
        'importing',
        'active',
        'deactivated',
        'killed',
      ],
      to: 'pending_delete',
      by: 'DELETE /v2/images/{image_id}',
    },
  },
});

export type ImageState = keyof typeof imageStates.states;
export type ImageEvent = keyof typeof imageStates.events;
