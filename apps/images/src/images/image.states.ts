/**
 * The states of an image. Public source: Image service documentation, "Image Statuses";
 * `image-status.ts` says which status clients see.
 *
 * An image that was deleted has no row, so no state stands for it. `saving` and `staging` are owned
 * by the process that receives the bytes: `upload-owner.ts` says how its death shows,
 * `stalled-uploads.sweep.ts` what follows. `import_waiting` and `importing` are the work of
 * `import.reconciler.ts`: how long an import waits does not count against the time of its work.
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
    import_waiting: {
      about: 'Its import was asked for, and waits for its turn among those of its project.',
      deadline: 604_800,
    },
    importing: {
      about: 'Data is fetched, judged, converted where that is asked for, and stored.',
      deadline: 7_200,
    },
    active: { about: 'All of its data is stored; it never changes again.' },
    deactivated: { about: 'As active, but an administrator has closed its data to all others.' },
    killed: { about: 'Its stored data is damaged, and is not given out unless it is whole again.' },
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
      to: 'import_waiting',
      by: 'POST /v2/images/{image_id}/import, glance-direct',
    },
    download: {
      from: ['queued'],
      to: 'import_waiting',
      by: 'POST /v2/images/{image_id}/import, web-download',
    },
    expire: { from: ['staged'], to: 'queued', by: 'the sweep, as nobody has imported the data' },
    beginImport: { from: ['import_waiting'], to: 'importing', by: 'the import, at its turn' },
    imported: { from: ['importing'], to: 'active', by: 'the import, once its data is stored' },
    abort: {
      from: ['saving', 'staging', 'import_waiting', 'importing'],
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
    recoverActive: {
      from: ['killed'],
      to: 'active',
      by: 'the integrity scrub, once the stored bytes match their checksum again',
    },
    recoverDeactivated: {
      from: ['killed'],
      to: 'deactivated',
      by: 'the same, for an image that was deactivated when it was damaged',
    },
    delete: {
      from: [
        'queued',
        'saving',
        'staging',
        'staged',
        'import_waiting',
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

/** Those of an image with an import that has not ended. */
export const IMPORT_STATES: readonly ImageState[] = ['import_waiting', 'importing'];
