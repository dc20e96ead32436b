/**
 * The states of an image. Public source: Image service documentation, "Image Statuses".
 *
 * A deleted image has no row, so no state stands for it. `saving` is owned by the process that
 * receives the bytes: `upload-owner.ts` says how its death shows, `stalled-uploads.sweep.ts` what
 * follows.
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
    active: { about: 'All of its data is stored; it never changes again.' },
  },
  events: {
    upload: { from: ['queued'], to: 'saving', by: 'PUT /v2/images/{image_id}/file' },
    progress: { from: ['saving'], to: 'saving', by: 'the upload, every few seconds' },
    complete: { from: ['saving'], to: 'active', by: 'the upload, once its data is stored' },
    abort: {
      from: ['saving'],
      to: 'queued',
      by: 'the upload that breaks off, or the sweep that finds it dead',
    },
  },
});

export type ImageState = keyof typeof imageStates.states;
export type ImageEvent = keyof typeof imageStates.events;
